package io.penstock.engine.task;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Limits how fast a task may write: a task that is ahead of its rate is not read for a while, so that its pipe fills and it blocks.
 * Nothing is cut. Lives on its shard's context.
 */
public final class OutputPace {

    /** No limit. */
    static final long UNLIMITED = 0;

    /** Unused time up to this long may be used later; this also compensates for late timers. */
    private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Vertx vertx;
    private final long bytesPerSecond;
    private final Runnable resume;
    private long usedUntilNanos = System.nanoTime();
    private long timer = -1;
    private boolean isHeld;
    private boolean released;

    /** @param resume called when reading may continue */
    OutputPace(Vertx vertx, long bytesPerSecond, Runnable resume) {
        this.vertx = vertx;
        this.bytesPerSecond = bytesPerSecond;
        this.resume = resume;
    }

    /** Counts bytes that the task has written. */
    void wrote(int bytes) {
        if (bytesPerSecond == UNLIMITED || released) {
            return;
        }
        long now = System.nanoTime();
        long from = Math.max(usedUntilNanos - now, -CREDIT_NANOS);
        usedUntilNanos = now + from + (long) (bytes * 1e9 / bytesPerSecond);
        holdIfAhead();
    }

    /** Whether nothing must be read now. */
    boolean isHeld() {
        return isHeld;
    }

    /** The program has exited: the rest of its output is read without delay. */
    void release() {
        released = true;
        isHeld = false;
        vertx.cancelTimer(timer);
    }

    private void holdIfAhead() {
        long aheadMs = TimeUnit.NANOSECONDS.toMillis(usedUntilNanos - System.nanoTime());
        if (aheadMs > 0 && !isHeld) {
            isHeld = true;
            timer = vertx.setTimer(aheadMs, t -> elapsed());
        }
    }

    private void elapsed() {
        isHeld = false;
        // Output that was drained before an operation meanwhile counts too.
        holdIfAhead();
        if (!isHeld) {
            resume.run();
        }
    }
}
