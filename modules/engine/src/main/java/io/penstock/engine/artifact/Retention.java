package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The maximum age of artifacts, counted from their seal, and their maximum total size; the oldest are removed first. */
public record Retention(Duration age, long totalBytes) {

    /** Limits the total size to half of the disk; the ledger and other programs need the rest. */
    public static Retention onDiskOf(Path directory, Duration age) throws IOException {
        return new Retention(age, Files.getFileStore(directory).getTotalSpace() / 2);
    }

    /** Nothing is ever deleted. */
    public static final Retention FOREVER = new Retention(Duration.ofDays(365_000), Long.MAX_VALUE);

    public Retention {
        if (age.isNegative()) {
            throw new IllegalArgumentException("Artifacts are kept for a time of 0 or more, not " + age);
        }
        if (totalBytes < 0) {
            throw new IllegalArgumentException("Artifacts may have 0 or more bytes in all, not " + totalBytes);
        }
    }

    /** The result of one pass: what is left, and what was deleted. */
    public record Outcome(long artifacts, long bytes, long deletedArtifacts, long deletedBytes) {}
}
