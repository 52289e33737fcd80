package io.penstock.engine.pump;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.frames.Signal;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/** How a program is ended: TERM to its group, some seconds of grace, KILL to all that it started. */
final class ProgramStop {

    /** Between TERM and KILL. */
    private static final long GRACE_MS = 5_000;

    private ProgramStop() {}

    static void begin(Vertx vertx, RunningProcess running, BooleanSupplier hasExited) {
        running.signal(Signal.TERM.number());
        // A stopped program would not see the TERM.
        running.signal(Signal.CONT.number());
        vertx.setTimer(GRACE_MS, t -> {
            if (!hasExited.getAsBoolean()) {
                killAll(vertx, running);
            }
        });
    }

    static void killAll(Vertx vertx, RunningProcess running) {
        // In no order: the ends of others do not wait for that of a bomb.
        vertx.executeBlocking(
                () -> {
                    running.killAll();
                    return null;
                },
                false);
    }
}
