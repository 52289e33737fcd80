package io.penstock.engine.spawn.epoll;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.engine.spawn.linux.Descriptors;
import io.penstock.engine.spawn.linux.Errno;
import io.penstock.frames.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one output in turns of at most one buffer, so that a program that writes without end leaves the loop to others in between.
 * All on the loop's thread.
 */
final class OutputReader {
    /** A whole pipe of the largest size, four times what a terminal holds back. */
    private static final int DRAIN_TURNS = 16;

    /**
     * A program that writes again this soon is let write on for as long, so that many small writes become one frame. The first
     * after a pause is read at once, and so is what follows an input, for somebody may wait for the echo.
     */
    static final long GATHER_NANOS = 500_000;

    /** What was read. */
    interface Sink {
        void output(Channel channel, ByteBuffer bytes);

        void closed(Channel channel);
    }

    private final Channel channel;
    private final WatchedDescriptor descriptor;
    private final EventLoop loop;
    private final Sink sink;
    private final Runnable turn = this::turn;
    private long gatherUntil = System.nanoTime();
    private @Nullable ScheduledFuture<?> gathering;
    private boolean maybeMore;
    private boolean hangUpTold;
    private boolean paused;
    private boolean turnAwaited;
    private boolean ended;

    OutputReader(Channel channel, WatchedDescriptor descriptor, EventLoop loop, Sink sink) {
        this.channel = channel;
        this.descriptor = descriptor;
        this.loop = loop;
        this.sink = sink;
    }

    boolean ended() {
        return ended;
    }

    /** The kernel has something: output, or its end. */
    void ready(boolean hungUp) {
        maybeMore = true;
        if (hungUp) {
            hangUpTold = true;
            gathered();
        }
        if (turnAwaited || gathering != null) {
            return;
        }
        long now = System.nanoTime();
        long early = gatherUntil - now;
        if (early > 0 && !hungUp && !paused) {
            // Each write would wake the loop, only to be told that it is too early.
            descriptor.listen(false);
            gathering = loop.schedule(this::gathered, early, TimeUnit.NANOSECONDS);
        } else {
            readTurn(now);
        }
    }

    private void gathered() {
        ScheduledFuture<?> timer = gathering;
        if (timer != null) {
            gathering = null;
            timer.cancel(false);
            if (!ended) {
                descriptor.listen(true);
                readTurn(System.nanoTime());
            }
        }
    }

    /** What comes next may be waited for. */
    void hurry() {
        gatherUntil = System.nanoTime();
        gathered();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        awaitTurn();
    }

    /** Also while paused. What a program adds meanwhile is left for later when it is more than a pipe holds. */
    void drain() {
        for (int turns = 0; turns < DRAIN_TURNS && !ended; turns++) {
            if (!read(System.nanoTime(), true)) {
                return;
            }
        }
        maybeMore = !ended;
        awaitTurn();
    }

    private void turn() {
        turnAwaited = false;
        readTurn(System.nanoTime());
    }

    private void readTurn(long now) {
        if (maybeMore && !paused && !ended) {
            // A pipe that gives less than was asked for is empty, and tells of whatever comes next, its end as well. A
            // terminal gives
            // what it has in pieces.
            maybeMore = read(now, hangUpTold || channel == Channel.PTY);
            awaitTurn();
        }
    }

    private void awaitTurn() {
        if (maybeMore && !paused && !ended && !turnAwaited) {
            turnAwaited = true;
            // And not executed at once: a loop runs what it is given for up to a second before it looks at its
            // descriptors again.
            loop.schedule(turn, 0, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Fills one buffer as far as there is output; answers whether there may be more.
     *
     * @param untilNone whether only the kernel's word that there is nothing counts, and not that it gave less than was asked for
     */
    private boolean read(long now, boolean untilNone) {
        LoopBuffer buffer = LoopBuffer.take();
        try {
            int filled = 0;
            long answer = 0;
            boolean end = false;
            boolean hungUp = false;
            while (filled < LoopBuffer.BYTES) {
                answer = Descriptors.read(
                        descriptor.number(), buffer.memory().asSlice(filled), LoopBuffer.BYTES - filled);
                if (answer > 0) {
                    filled += (int) answer;
                    hungUp = false;
                    if (!untilNone && filled < LoopBuffer.BYTES) {
                        break;
                    }
                } else if (answer == -Errno.EIO && !hungUp) {
                    // Of a terminal that nobody has open any more, but not the end yet: the kernel looks for output
                    // first and
                    // for the hang-up after that, and what was written and closed in between lies behind this answer.
                    // It
                    // happened in 1 of 90,000 fast exits under load. Whoever asks once more gets it all, or EIO for
                    // good.
                    hungUp = true;
                } else if (answer != -Errno.EINTR) {
                    end = answer != -Errno.EAGAIN;
                    break;
                }
            }
            // Set before the listener is told, for it may ask for more, or close.
            ended = ended || end;
            maybeMore = !end && filled == LoopBuffer.BYTES;
            if (filled > 0) {
                gatherUntil = now + (filled < LoopBuffer.BYTES ? GATHER_NANOS : 0);
                sink.output(channel, buffer.first(filled));
            }
            if (end) {
                sink.closed(channel);
            }
            return !ended && filled == LoopBuffer.BYTES;
        } finally {
            buffer.giveBack();
        }
    }

    /** Nothing is told from now on. */
    void close() {
        ended = true;
        gathered();
        descriptor.close();
    }
}
