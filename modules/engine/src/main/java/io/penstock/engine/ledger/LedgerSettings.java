package io.penstock.engine.ledger;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.Database;
import io.penstock.frames.Limits;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Path;

/**
 * Where and how a ledger stores its data.
 *
 * @param journal the folder of the journal, used by one process at a time
 * @param database the Postgres to drain to
 * @param schema the schema in it; tests use their own
 * @param fsync when the journal is safe against power loss
 * @param segmentBytes size of a journal file
 * @param backlogBytes the undrained part of the journal at which appenders have to wait
 */
public record LedgerSettings(
        Path journal, PgConnectOptions database, String schema, Fsync fsync, int segmentBytes, long backlogBytes) {

    public static LedgerSettings of(Path journal, PgConnectOptions database) {
        return new LedgerSettings(
                journal,
                database,
                Database.SCHEMA,
                new Fsync.Never(),
                Limits.JOURNAL_SEGMENT_BYTES,
                Limits.JOURNAL_BACKLOG_BYTES);
    }

    public LedgerSettings withFsync(Fsync fsync) {
        return new LedgerSettings(journal, database, schema, fsync, segmentBytes, backlogBytes);
    }

    public LedgerSettings withSchema(String schema) {
        return new LedgerSettings(journal, database, schema, fsync, segmentBytes, backlogBytes);
    }

    public LedgerSettings withJournalSizes(int segmentBytes, long backlogBytes) {
        return new LedgerSettings(journal, database, schema, fsync, segmentBytes, backlogBytes);
    }
}
