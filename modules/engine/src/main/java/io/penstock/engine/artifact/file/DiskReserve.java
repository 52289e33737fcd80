package io.penstock.engine.artifact.file;

import io.penstock.frames.Limits;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The disk space that outputs leave to the ledger. Free space is read once a second during writes, and more often in a flood, so that the
 * bytes written in between are a fraction of a usual reserve. Thread-safe.
 */
public final class DiskReserve {

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVERY_BYTES = 1L << 20;

    /** The space that a file takes beyond its last byte. */
    private static final long PAGE_BYTES = 4096;

    private final Path folder;
    private final long bytes;
    private final AtomicLong writable = new AtomicLong();
    private volatile long askedNanos;
    private volatile boolean enough;
    private volatile long roomAskedNanos = System.nanoTime() - EVERY_NANOS - 1;
    private volatile boolean room;

    /** @param bytes the space that is left free; 0 writes until the disk is full */
    public DiskReserve(Path folder, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("A reserve has 0 or more bytes, not " + bytes);
        }
        this.folder = folder;
        this.bytes = bytes;
    }

    /** Whether this many bytes may be written. */
    public boolean allows(int more) {
        if (bytes == 0) {
            return true;
        }
        if (writable.addAndGet(-more) < 0 || System.nanoTime() - askedNanos > EVERY_NANOS) {
            long free = folder.toFile().getUsableSpace() - more - PAGE_BYTES;
            enough = free >= bytes;
            writable.set(Math.min(EVERY_BYTES, Math.max(0, free - bytes)));
            askedNanos = System.nanoTime();
        }
        return enough;
    }

    /** Whether a stopped output may be stored again; reads the free space at most once a second. */
    public boolean hasRoomAgain() {
        if (System.nanoTime() - roomAskedNanos > EVERY_NANOS) {
            roomAskedNanos = System.nanoTime();
            room = folder.toFile().getUsableSpace() >= bytes + Limits.ARTIFACT_RESUME_BYTES;
        }
        return room;
    }

    public String sentence() {
        return "less than " + bytes + " bytes of its disk are free, which are reserved for the ledger";
    }
}
