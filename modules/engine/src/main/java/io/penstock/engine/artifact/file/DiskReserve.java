package io.penstock.engine.artifact.file;

import io.penstock.engine.artifact.hole.FreeInodes;
import io.penstock.frames.Limits;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The disk space, and the inodes, that outputs leave to the ledger. Both are read once a second during writes, and more often in a flood, so
 * that what is written in between is a fraction of a usual reserve. Thread-safe.
 */
public final class DiskReserve {

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_BYTES = 1L << 20;
    private static final long EVERY_FILES = 256;

    /** The space that a file takes beyond its last byte. */
    private static final long PAGE_BYTES = 4096;

    private final Path folder;
    private final long bytes;
    private final Free space;
    private final Free inodes;
    private volatile long roomAskedNanos = System.nanoTime() - EVERY_NANOS - 1;
    private volatile boolean room;

    /** @param bytes the space that is left free; 0 writes until the disk is full, or out of inodes */
    public DiskReserve(Path folder, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A reserve has 0 or more bytes, not " + bytes);
        }
        this.folder = folder;
        this.bytes = bytes;
        this.space = new Free(() -> folder.toFile().getUsableSpace() - PAGE_BYTES, bytes, EVERY_BYTES);
        this.inodes = new Free(() -> FreeInodes.of(folder), Limits.DISK_RESERVE_INODES, EVERY_FILES);
    }

    /**
     * Why nothing may be written, as the end of a sentence; null if it may.
     *
     * @param more the bytes to be written
     * @param files the files to be created for them
     */
    public @Nullable String refusal(int more, int files) {
        if (bytes == 0) {
            return null;
        }
        if (!space.allows(more)) {
            return "less than " + bytes + " bytes of its disk are free, which are reserved for the ledger";
        }
        return files == 0 || inodes.allows(files)
                ? null
                : "fewer than " + Limits.DISK_RESERVE_INODES
                        + " inodes of its disk are free, which are reserved for the ledger";
    }

    /** Whether a stopped output may be stored again; reads the free space at most once a second. */
    public boolean hasRoomAgain() {
        if (System.nanoTime() - roomAskedNanos > EVERY_NANOS) {
            roomAskedNanos = System.nanoTime();
            room = folder.toFile().getUsableSpace() >= bytes + Limits.ARTIFACT_RESUME_BYTES;
        }
        return room;
    }

    /** What is free, as it was read last, without what was taken since. */
    private static final class Free {

        private final LongSupplier free;
        private final long reserve;
        private final long every;
        private final AtomicLong left = new AtomicLong();
        private volatile long askedNanos;
        private volatile boolean enough;

        /** @param every after so much was taken, what is free is read again */
        Free(LongSupplier free, long reserve, long every) {
            this.free = free;
            this.reserve = reserve;
            this.every = every;
        }

        boolean allows(int more) {
            if (left.addAndGet(-more) < 0 || System.nanoTime() - askedNanos > EVERY_NANOS) {
                long behind = free.getAsLong() - more - reserve;
                enough = behind >= 0;
                left.set(Math.min(every, Math.max(0, behind)));
                askedNanos = System.nanoTime();
            }
            return enough;
        }
    }
}
