package io.penstock.engine.log.store;

import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Completes the appends of one writer in their order. A delayed append completes on its caller's context, some time
 * after it was accepted; later appends that were accepted at once wait here until then.
 */
final class OrderedCompletions {

    private record Append(Future<Frame> accepted, Promise<Frame> completed) {}

    private final ArrayDeque<Append> appends = new ArrayDeque<>();
    private boolean completing;
    private volatile boolean idle = true;

    /** Whether no append is pending: then an append that is accepted at once overtakes none. */
    boolean isIdle() {
        return idle;
    }

    /** Completes as the append does, after all appends before it. */
    Future<Frame> afterEarlier(Future<Frame> accepted) {
        var append = new Append(accepted, Promise.promise());
        synchronized (this) {
            idle = false;
            appends.add(append);
        }
        accepted.onComplete(done -> completeReady());
        return append.completed().future();
    }

    private void completeReady() {
        synchronized (this) {
            if (completing) {
                return;
            }
            completing = true;
        }
        try {
            for (Append next = next(); next != null; next = next()) {
                next.accepted().onComplete(next.completed());
            }
        } catch (RuntimeException | Error e) {
            // A listener threw; the appends behind it still complete.
            synchronized (this) {
                completing = false;
            }
            completeReady();
            throw e;
        }
    }

    private synchronized @Nullable Append next() {
        Append first = appends.peek();
        if (first != null && first.accepted().isComplete()) {
            return appends.remove();
        }
        completing = false;
        idle = first == null;
        return null;
    }
}
