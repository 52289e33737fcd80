package io.penstock.engine.view;

import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import java.util.function.LongSupplier;

/** Measures by how much a viewer lags. For one thread at a time. */
final class LagGauge {

    private final CatchUpLimits limits;
    private final LongSupplier written;
    private final LongSupplier nanoTime;
    private long caughtUpNanos;

    /**
     * @param written the bytes of output stored by now, as far as known; otherwise -1
     * @param nanoTime as {@link System#nanoTime}
     */
    LagGauge(CatchUpLimits limits, LongSupplier written, LongSupplier nanoTime) {
        this.limits = limits;
        this.written = written;
        this.nanoTime = nanoTime;
        this.caughtUpNanos = nanoTime.getAsLong() - limits.again().toNanos();
    }

    /** Whether a viewer that lags far behind gets a screen in place of output. */
    boolean sendsScreens() {
        return limits.screens();
    }

    /** Whether the output from this frame on is more than a viewer should be sent, as far as is known. */
    boolean isFarBehind(Frame first) {
        return isFarBehind(first, written.getAsLong());
    }

    /** @param stored the bytes of output stored by now */
    boolean isFarBehind(Frame first, long stored) {
        return first.body() instanceof ToolTaskOutputDelta delta && stored - delta.offset() > bytesAllowed();
    }

    private long bytesAllowed() {
        boolean again = nanoTime.getAsLong() - caughtUpNanos < limits.again().toNanos();
        return again ? limits.bytesAgain() : limits.bytes();
    }

    /** Whether a viewer must be notified that it lags from one frame to another. */
    boolean mustNotify(long from, long to) {
        return to - from > limits.frames();
    }

    /** The viewer catches up. */
    void catchUp() {
        caughtUpNanos = nanoTime.getAsLong();
    }
}
