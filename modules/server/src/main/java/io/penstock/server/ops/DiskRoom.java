package io.penstock.server.ops;

import java.nio.file.Path;

/** How much the disk still takes on which everything is kept. */
public record DiskRoom(Path folder) {

    /** Some segments of the journal, and what a handful of tasks write: with less, new ones would soon lose output. */
    static final long NEEDED_BYTES = 256L << 20;

    long freeBytes() {
        return folder.toFile().getUsableSpace();
    }

    boolean isEnough() {
        return freeBytes() >= NEEDED_BYTES;
    }
}
