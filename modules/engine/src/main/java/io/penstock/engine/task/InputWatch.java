package io.penstock.engine.task;

import io.penstock.engine.spawn.RunningProcess;
import io.penstock.frames.Cause;
import io.penstock.frames.Phase;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says when a program on a terminal waits for input, and when it goes on without any: once the terminal has been quiet for a while, it
 * is looked at on a worker, then less and less often. Nothing that is written or typed waits for that. Lives on its shard's context.
 */
final class InputWatch {

    /** People pause so long between what they type, and programs before they ask; less would tell of waits that are over at once. */
    private static final long QUIET_MS = 250;

    /** What changes without a byte on the terminal is seen so late at most. A look costs some 100 µs, its way to a worker and back as much again. */
    private static final long SELDOM_MS = 4_000;

    private final Vertx vertx;
    private final TaskRecord record;
    private final BooleanSupplier isHeld;
    private @Nullable RunningProcess program;
    private long movedNanos;
    private long nextMs = QUIET_MS;
    private long timer = -1;
    private boolean rests;
    private int framesWritten;

    /** @param isHeld whether what the program writes is not read just now: then the terminal is quiet for another reason */
    InputWatch(Vertx vertx, TaskRecord record, BooleanSupplier isHeld) {
        this.vertx = vertx;
        this.record = record;
        this.isHeld = isHeld;
    }

    /** So many frames have told of it. */
    int framesWritten() {
        return framesWritten;
    }

    void start(RunningProcess started) {
        program = started;
        movedNanos = System.nanoTime();
        waitFor(QUIET_MS, false);
    }

    /** Something has been written, or done to the program. Comes with each piece of output, so it starts no timer but after a rest. */
    void moved() {
        movedNanos = System.nanoTime();
        if (rests) {
            vertx.cancelTimer(timer);
            nextMs = QUIET_MS;
            waitFor(QUIET_MS, false);
        }
    }

    /** Something has been typed, and recorded: who waits for the next wait shall not take this one for it. */
    void typed() {
        moved();
        if (program != null && record.reached().phase() == Phase.AWAITING_INPUT) {
            record(false, Cause.REQUEST);
        }
    }

    /** The program ends or is told to: from here on it is not said that it waits. */
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
        BooleanSupplier look = watched.inputWait();
        // In no order: a look at one program waits for none at another.
        vertx.executeBlocking(look::getAsBoolean, false).onComplete(seen -> {
            if (program != null && seen.succeeded()) {
                saw(watched, Boolean.TRUE.equals(seen.result()), asOfNanos);
            }
            if (program == null) {
                return;
            }
            if (movedNanos == asOfNanos) {
                nextMs = Math.min(SELDOM_MS, 2 * nextMs);
                waitFor(nextMs, true);
            } else {
                nextMs = QUIET_MS;
                waitFor(QUIET_MS, false);
            }
        });
    }

    private void saw(RunningProcess watched, boolean waits, long asOfNanos) {
        boolean said = record.reached().phase() == Phase.AWAITING_INPUT;
        if (waits == said || movedNanos != asOfNanos || isHeld.getAsBoolean()) {
            return;
        }
        // What it wrote before it began to wait comes before the frame that says so; and then it is not quiet yet.
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
