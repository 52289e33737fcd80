package io.penstock.engine.ledger;

import io.penstock.engine.log.journal.JournalState;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's health.
 *
 * @param broken why it has stopped accepting, or null
 * @param databaseAway why Postgres is unavailable, or null
 * @param undrainedBytes journal bytes that are not in Postgres yet
 * @param waitingWrites writes that wait for room
 */
public record LedgerHealth(
        @Nullable String broken,
        @Nullable String databaseAway,
        JournalState journal,
        int journalSegments,
        long undrainedBytes,
        int waitingWrites,
        int streamsInUse) {

    /** Whether frames are accepted and reach the database. */
    public boolean isWell() {
        return broken == null && databaseAway == null && journal instanceof JournalState.Open;
    }
}
