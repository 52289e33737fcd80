package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A mapped window behind the end of a growing file. A small piece that is copied there is in the page cache, like a written one, in a
 * twentieth of the time of the system call. The file is longer than its stored bytes meanwhile, and is truncated at the end.
 */
public final class AppendWindow implements AutoCloseable {

    /** Room for some hundred small pieces, which share the cost of mapping. The unused rest is truncated at the end. */
    public static final int BYTES = 64 * 1024;

    private final Arena arena = Arena.ofShared();
    private final long start;
    private final MemorySegment memory;

    private AppendWindow(FileChannel file, long start) throws IOException {
        this.start = start;
        try {
            this.memory = file.map(FileChannel.MapMode.READ_WRITE, start, BYTES, arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** Writes zeros first, so that the disk has blocks for the whole window and a later copy cannot fail. */
    static AppendWindow open(FileChannel file, long start) throws IOException {
        ArtifactFiles.write(file, start, ByteBuffer.allocate(BYTES));
        return new AppendWindow(file, start);
    }

    boolean holds(long offset, int length) {
        return offset >= start && offset + length <= start + BYTES;
    }

    /** Copies all of the bytes. */
    void put(long offset, ByteBuffer bytes) {
        MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, memory, offset - start, bytes.remaining());
        bytes.position(bytes.limit());
    }

    @Override
    public void close() {
        arena.close();
    }
}
