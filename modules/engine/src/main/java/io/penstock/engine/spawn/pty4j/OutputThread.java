package io.penstock.engine.spawn.pty4j;

import io.penstock.engine.spawn.RunningProcess.Listener;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Reads one output on a thread of its own, one piece ahead: the next is read when the owner has taken this one. */
final class OutputThread {
    private final Channel channel;
    private final InputStream stream;
    private final Owner owner;
    private final Listener listener;
    private final Runnable ended;
    private final Semaphore taken = new Semaphore(0);

    // Of the owner's context.
    private @Nullable ByteBuffer waiting;
    private boolean paused;
    private boolean muted;

    OutputThread(Channel channel, InputStream stream, Owner owner, Listener listener, Runnable ended) {
        this.channel = channel;
        this.stream = stream;
        this.owner = owner;
        this.listener = listener;
        this.ended = ended;
    }

    void start(long pid) {
        Thread.ofPlatform()
                .daemon()
                .name("output-" + pid + "-" + channel.wireName())
                .start(this::readAll);
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        drain();
    }

    /** What the thread has read already; it may be about to read more. */
    void drain() {
        ByteBuffer bytes = waiting;
        if (bytes != null) {
            waiting = null;
            if (!muted) {
                listener.output(channel, bytes);
            }
            taken.release();
        }
    }

    /** Reads on to the end, so that the program doesn't block, and tells nothing. */
    void mute() {
        muted = true;
        resume();
    }

    private void readAll() {
        byte[] piece = new byte[Limits.DELTA_BYTES];
        try {
            for (int read = readOn(piece); read >= 0; read = readOn(piece)) {
                ByteBuffer bytes = ByteBuffer.wrap(piece, 0, read);
                owner.tell(() -> arrive(bytes));
                taken.acquire();
            }
        } catch (IOException e) {
            // A terminal that nobody has open any more: the end, in other words.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        owner.tell(() -> {
            if (!muted) {
                listener.closed(channel);
            }
            ended.run();
        });
    }

    /** A terminal's end is asked for twice: what was written just before the hang-up lies behind the first answer at times. */
    private int readOn(byte[] piece) throws IOException {
        int read = stream.read(piece);
        return read < 0 && channel == Channel.PTY ? stream.read(piece) : read;
    }

    private void arrive(ByteBuffer bytes) {
        waiting = bytes;
        if (!paused) {
            drain();
        }
    }
}
