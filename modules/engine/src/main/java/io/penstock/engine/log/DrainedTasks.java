package io.penstock.engine.log;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The rows of the database, once it has caught up with what was accepted before it is asked: a few milliseconds. */
final class DrainedTasks implements TaskIndex {

    /** Also a full journal is drained in this time, mostly; who reads a list would not wait longer. */
    private static final long CAUGHT_UP_WITHIN_MS = 10_000;

    private final JournalDrain drain;
    private final LedgerReads reads;

    DrainedTasks(JournalDrain drain, LedgerReads reads) {
        this.drain = drain;
        this.reads = reads;
    }

    @Override
    public Future<TaskRows> list(TaskQuery query) {
        String away = drain.away();
        if (away != null) {
            return Future.failedFuture(LogFailures.databaseAway(away, null));
        }
        Future<Void> caughtUp = drain.drainAll()
                .timeout(CAUGHT_UP_WITHIN_MS, TimeUnit.MILLISECONDS)
                .recover(e -> Future.failedFuture(
                        e instanceof TimeoutException
                                ? LogFailures.databaseAway(
                                        "it has not caught up with the journal within " + CAUGHT_UP_WITHIN_MS + " ms",
                                        e)
                                : e));
        return JournalGate.onCallersContext(caughtUp.compose(v -> reads.tasks(query)));
    }
}
