package io.penstock.engine.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How long artifacts are kept after their seal, and how many bytes of them in all; the oldest seals go first. */
public record Retention(Duration age, long totalBytes) {

    /** For so long, and as long as they fill no more than half of their disk: the other half is the ledger's and everybody else's. */
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

    /** What one pass found and did. */
    public record Outcome(long artifacts, long bytes, long deletedArtifacts, long deletedBytes) {}
}
