package io.penstock.engine.retention;

import io.penstock.engine.log.retention.LedgerLimits;
import org.jspecify.annotations.Nullable;

/**
 * What the janitor has done since the start.
 *
 * @param ranAtMs when it has last finished; null before
 * @param failed why it could not do its work the last time, or null
 * @param ledgerBytes the size of the ledger in the database after it
 */
public record JanitorStatus(
        LedgerLimits limits,
        @Nullable Long ranAtMs,
        @Nullable String failed,
        long ledgerBytes,
        long tasks,
        long sessions,
        long bytes,
        long outputs) {}
