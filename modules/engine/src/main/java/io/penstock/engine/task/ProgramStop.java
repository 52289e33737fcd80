package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.frames.Signal;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/** How a program is ended: TERM to its group, some seconds of grace, KILL to all that it started. */
final class ProgramStop {

    /** Between TERM and KILL. */
    static final long GRACE_MS = 5_000;

    private ProgramStop() {}

    /**
     * Sends TERM, and KILL after the grace if the program still runs then.
     *
     * @param killing is run right before KILL is sent
     */
    static void start(Vertx vertx, RunningProcess running, BooleanSupplier hasExited, Runnable killing) {
        running.signal(Signal.TERM.number());
        // A stopped program would not see the TERM.
        running.signal(Signal.CONT.number());
        vertx.setTimer(GRACE_MS, t -> {
            if (!hasExited.getAsBoolean()) {
                killing.run();
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
