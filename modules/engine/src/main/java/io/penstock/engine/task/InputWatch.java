package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Cause;
import io.penstock.frames.Phase;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records when a program on a terminal begins to wait for input, and when it continues without any. Once the terminal has been quiet
 * for a while, a worker inspects the program, then less and less often. Output and input never wait for that. Lives on its shard's
 * context.
 */
final class InputWatch {

    /** Typical pauses between keystrokes, and of programs before a prompt; less would record waits that are over at once. */
    private static final long QUIET_MS = 250;

    /** Longest delay of a change without a byte on the terminal. An inspection costs about 100 µs, the hop to a worker as much again. */
    private static final long LONGEST_PAUSE_MS = 4_000;

    private final Vertx vertx;
    private final TaskRecord record;
    private final BooleanSupplier isHeld;
    private @Nullable RunningProcess program;
    private long movedNanos;
    private long nextMs = QUIET_MS;
    private long timer = -1;
    private boolean rests;
    private int framesWritten;

    /** @param isHeld whether reading is paused, so that the terminal is quiet for another reason */
    InputWatch(Vertx vertx, TaskRecord record, BooleanSupplier isHeld) {
        this.vertx = vertx;
        this.record = record;
        this.isHeld = isHeld;
    }

    /** The number of frames that were recorded for it. */
    int framesWritten() {
        return framesWritten;
    }

    void start(RunningProcess started) {
        program = started;
        movedNanos = System.nanoTime();
        waitFor(QUIET_MS, false);
    }

    /** Output was written, or an operation done. Called for each piece of output, so it starts a timer only after a rest. */
    void moved() {
        movedNanos = System.nanoTime();
        if (rests) {
            vertx.cancelTimer(timer);
            nextMs = QUIET_MS;
            waitFor(QUIET_MS, false);
        }
    }

    /** Input was written and recorded. The wait for it is over at once, so that a follower cannot take it for the next one. */
    void typed() {
        moved();
        if (program != null && record.reached().phase() == Phase.AWAITING_INPUT) {
            record(false, Cause.REQUEST);
        }
    }

    /** The program ends or is being stopped: no more waits are recorded. */
    void stop() {
        program = null;
        rests = false;
        vertx.cancelTimer(timer);
    }

    private void waitFor(long ms, boolean rest) {
        rests = rest;
        timer = vertx.setTimer(ms, t -> timeIsUp());
    }

    private void timeIsUp() {
        rests = false;
        RunningProcess watched = program;
        if (watched == null) {
            return;
        }
        long quietMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - movedNanos);
        if (quietMs < QUIET_MS) {
            waitFor(QUIET_MS - quietMs, false);
        } else if (isHeld.getAsBoolean()) {
            waitFor(QUIET_MS, false);
        } else {
            poll(watched);
        }
    }

    private void poll(RunningProcess watched) {
        long asOfNanos = movedNanos;
        BooleanSupplier inspection = watched.inputWait();
        // Unordered: inspecting one program does not wait for another.
        vertx.executeBlocking(inspection::getAsBoolean, false).onComplete(inspected -> {
            if (program != null && inspected.succeeded()) {
                recordChange(watched, Boolean.TRUE.equals(inspected.result()), asOfNanos);
            }
            if (program == null) {
                return;
            }
            if (movedNanos == asOfNanos) {
                nextMs = Math.min(LONGEST_PAUSE_MS, 2 * nextMs);
                waitFor(nextMs, true);
            } else {
                nextMs = QUIET_MS;
                waitFor(QUIET_MS, false);
            }
        });
    }

    private void recordChange(RunningProcess watched, boolean waits, long asOfNanos) {
        boolean recorded = record.reached().phase() == Phase.AWAITING_INPUT;
        if (waits == recorded || movedNanos != asOfNanos || isHeld.getAsBoolean()) {
            return;
        }
        // Output from before the wait comes before its frame; and then the terminal was not quiet.
        watched.drainNow();
        if (program != null && movedNanos == asOfNanos) {
            record(waits, Cause.PROGRAM);
        }
    }

    private void record(boolean waits, Cause cause) {
        Long startedAtMs = record.reached().run().startedAtMs();
        if (startedAtMs != null) {
            framesWritten++;
            record.write(
                    waits
                            ? ToolTaskStatus.awaitingInput(startedAtMs)
                            : ToolTaskStatus.runningAgain(startedAtMs, cause));
        }
    }
}
