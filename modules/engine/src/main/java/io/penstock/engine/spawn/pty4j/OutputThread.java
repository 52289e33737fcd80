package io.penstock.engine.spawn.pty4j;

import io.penstock.engine.spawn.RunningProcess.Listener;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Reads one output on a thread of its own, one piece ahead: it reads the next piece when the owner has taken this one. */
final class OutputThread {
    private final Channel channel;
    private final InputStream stream;
    private final Owner owner;
    private final Listener listener;
    private final Runnable ended;
    private final Semaphore taken = new Semaphore(0);

    // Used on the owner's context only.
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

    /** Delivers what the thread has read already; it may be about to read more. */
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

    /** Reads to the end without delivering anything, so that the program does not block. */
    void mute() {
        muted = true;
        resume();
    }

    private void readAll() {
        byte[] piece = new byte[Limits.DELTA_BYTES];
        try {
            for (int read = readOn(piece); read >= 0; read = readOn(piece)) {
                ByteBuffer bytes = ByteBuffer.wrap(piece, 0, read);
                owner.dispatch(() -> arrive(bytes));
                taken.acquire();
            }
        } catch (IOException e) {
            // No process has the terminal open: this is its end.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        owner.dispatch(() -> {
            if (!muted) {
                listener.closed(channel);
            }
            ended.run();
        });
    }

    /** Reads twice at a terminal's end: output written just before the hang-up sometimes comes after the first end. */
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
