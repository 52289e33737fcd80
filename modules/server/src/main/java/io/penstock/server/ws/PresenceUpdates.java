package io.penstock.server.ws;

import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Tells a viewer who else is there: the newest only, and not every step, neither to one who does not read, nor when a crowd comes and
 * goes.
 */
final class PresenceUpdates {

    private final Vertx vertx;
    private final ViewerContext steps;
    private final BooleanSupplier hasRoom;
    private final IntSupplier tell;
    private final AtomicBoolean changed = new AtomicBoolean();
    private boolean rests;

    /**
     * @param hasRoom whether the viewer takes news now
     * @param tell on the viewer's context; how many it has told of
     */
    PresenceUpdates(Vertx vertx, ViewerContext steps, BooleanSupplier hasRoom, IntSupplier tell) {
        this.vertx = vertx;
        this.steps = steps;
        this.hasRoom = hasRoom;
        this.tell = tell;
    }

    /** From any thread. */
    void changed() {
        if (changed.compareAndSet(false, true)) {
            steps.soon(this::sendIfChanged);
        }
    }

    /** There may be room again. On the viewer's context. */
    void sendIfChanged() {
        if (!changed.get() || rests || !hasRoom.getAsBoolean()) {
            return;
        }
        rests = true;
        changed.set(false);
        int others = tell.getAsInt();
        // All of a crowd are told of all of it: the more they are, the less often.
        vertx.setTimer(WsLimits.OTHERS_MS + others, steps.each(later -> {
            rests = false;
            sendIfChanged();
        }));
    }
}
