package io.penstock.engine.retention;

import io.penstock.engine.log.retention.LedgerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long and how much is kept.
 *
 * @param outputs how long the output of a task is kept after its end
 * @param tasks how long tasks are kept after the day on which they ended, and sessions after their last use
 * @param ledgerBytes how large the ledger may become; null for the usual size
 */
public record RetentionSettings(
        Duration outputs, Duration tasks, @Nullable Long ledgerBytes) {

    /** A month, so that outputs survive a holiday; a quarter of a year for the much smaller rest. */
    public static final RetentionSettings DEFAULT =
            new RetentionSettings(Duration.ofDays(30), Duration.ofDays(90), null);

    /** Outputs may have half of the disk. */
    private static final int USUAL_PART_OF_DISK = 4;

    /**
     * @param data the data directory
     * @param embedded whether the ledger is on its disk; the disk of another Postgres is not known
     */
    LedgerLimits ledger(Path data, boolean embedded) throws IOException {
        if (ledgerBytes != null) {
            return new LedgerLimits(tasks, ledgerBytes);
        }
        return new LedgerLimits(
                tasks, embedded ? Files.getFileStore(data).getTotalSpace() / USUAL_PART_OF_DISK : Long.MAX_VALUE);
    }
}
