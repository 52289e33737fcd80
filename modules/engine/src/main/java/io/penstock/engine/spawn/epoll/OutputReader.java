package io.penstock.engine.spawn.epoll;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.Errno;
import io.penstock.frames.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one output in turns of at most one buffer, so that a program that writes without end shares the loop with others. Used on the
 * loop's thread only.
 */
final class OutputReader {
    /** A whole pipe of the largest size, four times the buffer of a terminal. */
    private static final int DRAIN_TURNS = 16;

    /**
     * If a program writes again within this time after a read, reading waits until it is over, so that many small writes become one frame.
     * The first output after a pause, or after an input, is read at once, because a person may wait for the echo.
     */
    static final long GATHER_NANOS = 500_000;

    /** Receives the output. */
    interface Sink {
        void output(Channel channel, ByteBuffer bytes);

        void closed(Channel channel);
    }

    private final Channel channel;
    private final WatchedDescriptor descriptor;
    private final EventLoop loop;
    private final Sink sink;
    private final Runnable turn;
    private final Runnable gathered;
    private long gatherUntil = System.nanoTime();
    private @Nullable ScheduledFuture<?> gathering;
    private boolean maybeMore;
    private boolean hangUpSeen;
    private boolean paused;
    private boolean turnScheduled;
    private boolean ended;

    OutputReader(Channel channel, WatchedDescriptor descriptor, EventLoop loop, Sink sink) {
        this.channel = channel;
        this.descriptor = descriptor;
        this.loop = loop;
        this.sink = sink;
        // An exception of a scheduled action would end up in a future that no code reads.
        this.turn = () -> descriptor.run(this::turn);
        this.gathered = () -> descriptor.run(this::gathered);
    }

    boolean ended() {
        return ended;
    }

    /** The kernel has output, or its end. */
    void ready(boolean hungUp) {
        maybeMore = true;
        if (hungUp) {
            hangUpSeen = true;
            gathered();
        }
        if (turnScheduled || gathering != null) {
            return;
        }
        long now = System.nanoTime();
        long early = gatherUntil - now;
        if (early > 0 && !hungUp && !paused) {
            // Stop listening: otherwise each write would wake the loop too early.
            descriptor.listen(false);
            gathering = loop.schedule(gathered, early, TimeUnit.NANOSECONDS);
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

    /** Reads the next output without delay. */
    void hurry() {
        gatherUntil = System.nanoTime();
        gathered();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        scheduleTurn();
    }

    /** Reads the available output, even while paused. Output beyond a pipe's capacity that arrives meanwhile waits for later. */
    void drain() {
        for (int turns = 0; turns < DRAIN_TURNS && !ended; turns++) {
            if (!read(System.nanoTime(), true)) {
                return;
            }
        }
        maybeMore = !ended;
        scheduleTurn();
    }

    private void turn() {
        turnScheduled = false;
        readTurn(System.nanoTime());
    }

    private void readTurn(long now) {
        if (maybeMore && !paused && !ended) {
            // A short read from a pipe means that it is empty; its next output and its end are signalled. A terminal
            // returns its output in pieces.
            maybeMore = read(now, hangUpSeen || channel == Channel.PTY);
            scheduleTurn();
        }
    }

    private void scheduleTurn() {
        if (maybeMore && !paused && !ended && !turnScheduled) {
            turnScheduled = true;
            // Not execute(): a loop runs executed tasks for up to a second before it polls its descriptors again.
            ScheduledFuture<?> _ = loop.schedule(turn, 0, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Fills one buffer with the available output; returns whether there may be more.
     *
     * @param untilNone whether to read until the kernel reports no more output, instead of stopping at a short read
     */
    private boolean read(long now, boolean untilNone) {
        LoopBuffer buffer = LoopBuffer.acquire();
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
                    // No process has the terminal open, but this need not be the end: the kernel checks for
                    // output first and for the hang-up after that, so output written and closed in between
                    // comes after this EIO (in 1 of 90,000 fast exits under load). A second read returns it,
                    // or a final EIO.
                    hungUp = true;
                } else if (answer != -Errno.EINTR) {
                    end = answer != -Errno.EAGAIN;
                    break;
                }
            }
            // Set before the listener is called, as it may drain or close this reader.
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
            buffer.release();
        }
    }

    /** Delivers nothing from now on. */
    void close() {
        ended = true;
        gathered();
        descriptor.close();
    }
}
