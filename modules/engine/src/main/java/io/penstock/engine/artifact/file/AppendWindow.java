package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The next bytes of a growing file, mapped: a small piece put there is in the page cache as one that was written, for a twentieth of
 * what the system call takes. The file is longer than what is stored meanwhile, and is cut at its end.
 */
public final class AppendWindow implements AutoCloseable {

    /** A few hundred small pieces, so that mapping is paid by many; unused, it is given back with the end of the file. */
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

    /** Written first, so that the disk has room for all of it: what is put there later cannot fail for want of that. */
    static AppendWindow open(FileChannel file, long start) throws IOException {
        ArtifactFiles.write(file, start, ByteBuffer.allocate(BYTES));
        return new AppendWindow(file, start);
    }

    boolean holds(long offset, int length) {
        return offset >= start && offset + length <= start + BYTES;
    }

    /** Takes all of the bytes. */
    void put(long offset, ByteBuffer bytes) {
        MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, memory, offset - start, bytes.remaining());
        bytes.position(bytes.limit());
    }

    @Override
    public void close() {
        arena.close();
    }
}
