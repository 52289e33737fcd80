package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.frames.TaskNotice;
import io.vertx.core.Vertx;

/** What is still read when the program has left but another holds its output open: for a while, and then what is there already. */
final class FinalDrain {

    /** How long output is still read after the program has left, if another holds its pipe open. */
    private static final long DRAIN_MS = 1_000;

    private final Vertx vertx;
    private final TaskRecord record;
    private final RunningProcess program;
    private final Runnable finish;
    private long timer = -1;
    private boolean over;

    /** @param finish to be run when the time is over */
    FinalDrain(Vertx vertx, TaskRecord record, RunningProcess program, Runnable finish) {
        this.vertx = vertx;
        this.record = record;
        this.program = program;
        this.finish = finish;
    }

    void await() {
        timer = vertx.setTimer(DRAIN_MS, t -> timeIsUp());
    }

    /** The end of all output came before. */
    void stop() {
        over = true;
        vertx.cancelTimer(timer);
    }

    private void timeIsUp() {
        if (record.heldBackMs() >= DRAIN_MS / 2) {
            // It was not read, for want of room in the log: what the program has written may still be there.
            await();
            return;
        }
        program.drainNow();
        if (!over && !record.isHeldBack()) {
            // One drain is what a pipe holds; its end may come right behind it.
            program.drainNow();
        }
        if (!over) {
            record.write(new TaskNotice(
                    "pipe_still_held",
                    "The program has ended, but another process that it started still holds its output open; what"
                            + " that one writes from here on is not read"));
            finish.run();
        }
    }
}
