package io.penstock.engine.log.retention;

import java.time.Duration;

/**
 * How much history the ledger keeps.
 *
 * @param keep how long tasks are kept after the day on which they ended, and sessions after their last use
 * @param bytes how large the ledger may become: beyond it, the oldest days are removed first
 */
public record LedgerLimits(Duration keep, long bytes) {

    /** Nothing is ever removed. */
    public static final LedgerLimits FOREVER = new LedgerLimits(Duration.ofDays(365_000), Long.MAX_VALUE);

    public LedgerLimits {
        if (keep.isNegative()) {
            throw new IllegalArgumentException("Tasks are kept for a time of 0 or more, not " + keep);
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("The ledger may have 0 or more bytes, not " + bytes);
        }
    }
}
