package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** The open file of an artifact, counted by reader. Each reader closes it; the last close closes the file. */
public final class ReadFile implements AutoCloseable {

    private final FileChannel channel;
    private final AtomicInteger readers = new AtomicInteger(1);

    ReadFile(FileChannel channel) {
        this.channel = channel;
    }

    /** The channel; its position is shared, so readers must pass positions themselves. */
    public FileChannel channel() {
        return channel;
    }

    /** Adds a reader, while another one still has the file open. */
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
