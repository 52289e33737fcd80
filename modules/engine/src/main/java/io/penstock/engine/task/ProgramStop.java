package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.frames.Signal;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a program: TERM to its group, some seconds of grace, KILL to everything that it started. */
final class ProgramStop {

    /** Between TERM and KILL. */
    static final long GRACE_MS = 5_000;

    /** The error of a task whose stop needed KILL. */
    static final String KILLED_AFTER_GRACE = "Did not react to TERM, killed after " + GRACE_MS / 1000 + " s";

    private static final Logger log = LoggerFactory.getLogger(ProgramStop.class);

    private ProgramStop() {}

    /**
     * Sends TERM, and KILL after the grace if the program still runs then.
     *
     * @param killing run right before KILL is sent
     */
    static void start(Vertx vertx, RunningProcess running, BooleanSupplier hasExited, Runnable killing) {
        running.signal(Signal.TERM.number());
        // A suspended program would not see the TERM.
        running.signal(Signal.CONT.number());
        vertx.setTimer(GRACE_MS, t -> {
            if (!hasExited.getAsBoolean()) {
                killing.run();
                killAll(vertx, running);
            }
        });
    }

    static void killAll(Vertx vertx, RunningProcess running) {
        // Unordered: other tasks do not wait until a fork bomb is killed.
        vertx.executeBlocking(
                        () -> {
                            running.killAll();
                            return null;
                        },
                        false)
                .onFailure(e -> log.error("Killing the processes of a task failed", e));
    }
}
