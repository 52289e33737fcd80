package io.penstock.engine.log.store;

import io.penstock.engine.address.Contexts;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.SessionIndex;
import io.penstock.engine.log.SessionRow;
import io.penstock.engine.log.TaskCounts;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRows;
import io.penstock.engine.log.drain.JournalDrain;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists tasks and sessions from the database after the drain has caught up with everything accepted before the call, which takes a
 * few milliseconds.
 */
public final class DrainedIndex implements TaskIndex, SessionIndex {

    /** Even a full journal is usually drained in this time, and a user would not wait longer for a list. */
    private static final long CAUGHT_UP_WITHIN_MS = 10_000;

    private final JournalDrain drain;
    private final LedgerReads reads;
    private final OverdueAnswers overdue;

    public DrainedIndex(JournalDrain drain, LedgerReads reads, OverdueAnswers overdue) {
        this.drain = drain;
        this.reads = reads;
        this.overdue = overdue;
    }

    @Override
    public Future<TaskRows> list(TaskQuery query) {
        return whenCaughtUp(() -> reads.tasks(query));
    }

    @Override
    public Future<TaskCounts> count(TaskQuery query) {
        return whenCaughtUp(() -> reads.counts(query));
    }

    @Override
    public Future<List<SessionRow>> sessions(@Nullable TaskCursor after, int limit) {
        return whenCaughtUp(() -> reads.sessions(after, limit));
    }

    private <T> Future<T> whenCaughtUp(Supplier<Future<T>> read) {
        String away = drain.away();
        if (away != null) {
            return Future.failedFuture(LogFailures.databaseAway(away, null));
        }
        Future<Void> caughtUp = overdue.watch(drain.drainAll())
                .timeout(CAUGHT_UP_WITHIN_MS, TimeUnit.MILLISECONDS)
                .recover(e -> Future.failedFuture(
                        e instanceof TimeoutException
                                ? LogFailures.databaseAway(
                                        "it has not caught up with the journal within " + CAUGHT_UP_WITHIN_MS + " ms",
                                        e)
                                : e));
        return Contexts.onCallers(caughtUp.compose(v -> read.get()));
    }
}
