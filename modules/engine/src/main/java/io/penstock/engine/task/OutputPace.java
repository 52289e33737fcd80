package io.penstock.engine.task;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * How fast a task may write: one that has written more is not read until the time for it has come, so that its pipe fills and it
 * waits. Nothing is cut. Lives on its shard's context.
 */
public final class OutputPace {

    /** Without limit. */
    static final long UNLIMITED = 0;

    /** What was not used of the time before is left to be used for so long; makes up for a timer that is late, too. */
    private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Vertx vertx;
    private final long bytesPerSecond;
    private final Runnable goOn;
    private long usedUntilNanos = System.nanoTime();
    private long timer = -1;
    private boolean isHeld;
    private boolean over;

    /** @param goOn called when what was held may go on */
    OutputPace(Vertx vertx, long bytesPerSecond, Runnable goOn) {
        this.vertx = vertx;
        this.bytesPerSecond = bytesPerSecond;
        this.goOn = goOn;
    }

    /** So many have been written. */
    void wrote(int bytes) {
        if (bytesPerSecond == UNLIMITED || over) {
            return;
        }
        long now = System.nanoTime();
        long from = Math.max(usedUntilNanos - now, -CREDIT_NANOS);
        usedUntilNanos = now + from + (long) (bytes * 1e9 / bytesPerSecond);
        holdIfAhead();
    }

    /** Whether nothing more is to be read now. */
    boolean isHeld() {
        return isHeld;
    }

    /** The program has left: what it has left behind is read without delay. */
    void release() {
        over = true;
        isHeld = false;
        vertx.cancelTimer(timer);
    }

    private void holdIfAhead() {
        long aheadMs = TimeUnit.NANOSECONDS.toMillis(usedUntilNanos - System.nanoTime());
        if (aheadMs > 0 && !isHeld) {
            isHeld = true;
            timer = vertx.setTimer(aheadMs, t -> timeHasCome());
        }
    }

    private void timeHasCome() {
        isHeld = false;
        // What was drained before an operation meanwhile takes its time too.
        holdIfAhead();
        if (!isHeld) {
            goOn.run();
        }
    }
}
