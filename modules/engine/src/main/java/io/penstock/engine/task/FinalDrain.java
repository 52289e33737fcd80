package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.TaskNotice;
import io.vertx.core.Vertx;

/** Reads output for some time after the program has exited, if another process holds it open; then only the output already there. */
final class FinalDrain {

    /** How long output is still read. */
    private static final long DRAIN_MS = 1_000;

    private final Vertx vertx;
    private final TaskRecord record;
    private final RunningProcess program;
    private final Runnable finish;
    private long timer = -1;
    private boolean stopped;

    /** @param finish run when the time is over */
    FinalDrain(Vertx vertx, TaskRecord record, RunningProcess program, Runnable finish) {
        this.vertx = vertx;
        this.record = record;
        this.program = program;
        this.finish = finish;
    }

    void await() {
        timer = vertx.setTimer(DRAIN_MS, t -> timeIsUp());
    }

    /** All outputs were closed in time. */
    void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }

    private void timeIsUp() {
        if (record.heldBackMs() >= DRAIN_MS / 2) {
            // Reading was paused because the log had no room: output of the program may still be there.
            await();
            return;
        }
        program.drainNow();
        if (!stopped && !record.isHeldBack()) {
            // One drain empties the pipe; the end of the output may come right after it.
            program.drainNow();
        }
        if (!stopped) {
            record.write(new TaskNotice(
                    "pipe_still_held",
                    "The program has ended, but a process that it started still holds its output open; what that process"
                            + " writes from now on is not read"));
            finish.run();
        }
    }
}
