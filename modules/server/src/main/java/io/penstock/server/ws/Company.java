package io.penstock.server.ws;

import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Tells a viewer who else is there: the newest only, and not every step, neither to one who does not read, nor when a crowd comes and
 * goes.
 */
final class Company {

    private final Vertx vertx;
    private final Steps steps;
    private final BooleanSupplier hasRoom;
    private final Runnable tell;
    private final AtomicBoolean changed = new AtomicBoolean();
    private boolean rests;

    /**
     * @param hasRoom whether the viewer takes news now
     * @param tell on the viewer's context
     */
    Company(Vertx vertx, Steps steps, BooleanSupplier hasRoom, Runnable tell) {
        this.vertx = vertx;
        this.steps = steps;
        this.hasRoom = hasRoom;
        this.tell = tell;
    }

    /** From any thread. */
    void changed() {
        if (changed.compareAndSet(false, true)) {
            steps.soon(this::tellIfChanged);
        }
    }

    /** There may be room again. On the viewer's context. */
    void tellIfChanged() {
        if (!changed.get() || rests || !hasRoom.getAsBoolean()) {
            return;
        }
        rests = true;
        vertx.setTimer(WsLimits.OTHERS_MS, steps.each(later -> {
            rests = false;
            tellIfChanged();
        }));
        changed.set(false);
        tell.run();
    }
}
