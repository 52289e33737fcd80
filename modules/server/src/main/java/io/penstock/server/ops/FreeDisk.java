package io.penstock.server.ops;

import java.nio.file.Path;

/** The free space of the disk that holds the data directory. */
public record FreeDisk(Path folder) {

    /** A few journal segments, and the output of a handful of tasks: with less, new tasks would soon lose output. */
    static final long NEEDED_BYTES = 256L << 20;

    long freeBytes() {
        return folder.toFile().getUsableSpace();
    }

    boolean isEnough() {
        return freeBytes() >= NEEDED_BYTES;
    }
}
