package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** The open file of an artifact. Several may read it at once; each of them closes it, and with the last one it is closed. */
public final class ReadFile implements AutoCloseable {

    private final FileChannel channel;
    private final AtomicInteger readers = new AtomicInteger(1);

    ReadFile(FileChannel channel) {
        this.channel = channel;
    }

    /** To be read at given places only. */
    public FileChannel channel() {
        return channel;
    }

    /** One more reads it; to be said while another still does. */
    void enter() {
        readers.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
        if (readers.decrementAndGet() == 0) {
            channel.close();
        }
    }
}
