package io.penstock.engine.log;

import io.penstock.engine.log.journal.JournalState;
import org.jspecify.annotations.Nullable;

/**
 * How the ledger is.
 *
 * @param broken why it accepts nothing any more, or null
 * @param databaseAway why Postgres is not being reached just now, or null
 * @param undrainedBytes of the journal that wait for Postgres
 * @param waitingWrites held back for want of room
 */
public record LedgerHealth(
        @Nullable String broken,
        @Nullable String databaseAway,
        JournalState journal,
        int journalSegments,
        long undrainedBytes,
        int waitingWrites,
        int streamsInUse) {

    /** Whether frames are accepted, and reach the database. */
    public boolean isWell() {
        return broken == null && databaseAway == null && journal instanceof JournalState.Open;
    }
}
