package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Has the appends of one writer complete in their order. One that was held back is told of on its caller's context, some time after
 * it has been let in; what is appended in between may be accepted at once, and waits here until then.
 */
final class InOrder {

    private record Append(Future<Frame> accepted, Promise<Frame> told) {}

    private final ArrayDeque<Append> appends = new ArrayDeque<>();
    private boolean telling;
    private volatile boolean idle = true;

    /** Whether nothing is waited for: then what is accepted at once has nobody to overtake. */
    boolean isIdle() {
        return idle;
    }

    /** Completes as the append does, once those before it have. */
    Future<Frame> behindOthers(Future<Frame> accepted) {
        var append = new Append(accepted, Promise.promise());
        synchronized (this) {
            idle = false;
            appends.add(append);
        }
        accepted.onComplete(done -> tell());
        return append.told().future();
    }

    private void tell() {
        synchronized (this) {
            if (telling) {
                return;
            }
            telling = true;
        }
        try {
            for (Append next = next(); next != null; next = next()) {
                next.accepted().onComplete(next.told());
            }
        } catch (RuntimeException | Error e) {
            // One who is told has thrown; those behind it are told all the same.
            synchronized (this) {
                telling = false;
            }
            tell();
            throw e;
        }
    }

    private synchronized @Nullable Append next() {
        Append first = appends.peek();
        if (first != null && first.accepted().isComplete()) {
            return appends.remove();
        }
        telling = false;
        idle = first == null;
        return null;
    }
}
