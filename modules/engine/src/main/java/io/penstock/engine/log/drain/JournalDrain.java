package io.penstock.engine.log.drain;

import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalReader;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.engine.log.postgres.Database;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the journal to Postgres, in order and exactly once: each group moves the node's position and writes its rows
 * in one statement, and does neither if the position or the epoch is not the expected one. While Postgres is
 * unavailable, the drain retries and the journal keeps the records. Lives on one context; only {@link #wake} and the
 * getters may be called from elsewhere.
 */
public final class JournalDrain {

    /** Called with the records that have reached Postgres, group by group, in order. */
    public interface Drained {
        void drained(DrainGroup group);

        /** A new stream has the name of one that is already in the database: the new one cannot continue. */
        default void refused(long streamNo) {}

        /** No more groups will follow: the drain has failed for good, or another process has claimed this node. */
        default void fenced(Failure why) {}
    }

    private static final Logger log = LoggerFactory.getLogger(JournalDrain.class);

    /** One group is being written while the next is in transit. */
    private static final int GROUPS_IN_FLIGHT = 2;

    /** About the size of a full group of output frames. */
    private static final int SMALL_GROUP_BYTES = 32 * 1024;

    /**
     * The first group after a pause is sent at once. A small group that follows within this time waits for the rest of
     * it, since every group, whatever its size, syncs the disk, wakes three threads and occupies a processor for a
     * millisecond, which delays keystrokes. A group that a caller waits for is not delayed.
     */
    private static final long GATHER_MS = 20;

    /** A group takes milliseconds; a stalled disk or a lock may take much longer. */
    public static final long ANSWER_WITHIN_MS = 30_000;

    private static final String UNIQUE_VIOLATION = "23505";

    private final Vertx vertx;
    private final Context context;
    private final Database database;
    private final Journal journal;
    private final LongSupplier acceptedPosition;
    private final NodeClaim node;
    private final long answerWithinMs;

    /**
     * True while the drain is going to look at the journal anyway: it has been woken, or it waits before it may send.
     */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final Deque<DrainGroup> inFlight = new ArrayDeque<>();
    private final DrainWaiters waiting = new DrainWaiters();
    private final Outage outage;
    private final List<Drained> listeners = new CopyOnWriteArrayList<>();

    private @Nullable DrainConnection connection;
    private @Nullable JournalReader reader;
    private long sent;
    private long gatherUntil = System.nanoTime();
    private boolean gathering;
    private boolean busy;
    private @Nullable Failure broken;
    private boolean stopped;
    private volatile long drained;

    /** No record lies between {@link #drained} and this position: a journal file's header is not a record. */
    private volatile long emptyUpTo;

    /**
     * @param context on which the drain lives
     * @param answerWithinMs after this time without an answer, a connection is abandoned
     */
    public JournalDrain(
            Vertx vertx,
            Context context,
            Database database,
            Journal journal,
            LongSupplier acceptedPosition,
            NodeClaim node,
            long answerWithinMs) {
        this.answerWithinMs = answerWithinMs;
        this.vertx = vertx;
        this.outage = new Outage(vertx);
        this.context = context;
        this.database = database;
        this.journal = journal;
        this.acceptedPosition = acceptedPosition;
        this.node = node;
        this.drained = node.drained();
        this.sent = node.drained();
    }

    public void notify(Drained listener) {
        listeners.add(listener);
    }

    /** Bytes of the journal that are not in Postgres yet. */
    public long undrainedBytes() {
        return Math.max(0, journal.tail() - Math.max(drained, emptyUpTo));
    }

    /** Why Postgres is unavailable, or null if it is available. */
    public @Nullable String away() {
        return outage.why();
    }

    /** Signals that there may be something to drain. */
    public void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            context.runOnContext(v -> advance());
        }
    }

    /** Completes when everything accepted so far has reached Postgres, regardless of later records. */
    public Future<Void> drainAll() {
        return onContext(() -> {
            Failure why = stopped ? LogFailures.closed() : broken;
            if (why != null) {
                return Future.failedFuture(why);
            }
            Future<Void> caughtUp = waiting.until(acceptedPosition.getAsLong());
            advance();
            if (connection != null) {
                waiting.drainedTo(drained);
            }
            return caughtUp;
        });
    }

    /** Stops where it is; the rest stays in the journal for the next start. */
    public Future<Void> stop() {
        return onContext(() -> {
            stopped = true;
            waiting.fail(LogFailures.closed());
            DrainConnection open = connection;
            connection = null;
            return open == null ? Future.succeededFuture() : open.close();
        });
    }

    private <T> Future<T> onContext(Supplier<Future<T>> action) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(v -> action.get().onComplete(promise));
        return promise.future();
    }

    private void advance() {
        if (stopped || busy || broken != null) {
            return;
        }
        DrainConnection open = connection;
        if (open == null) {
            connect();
            return;
        }
        try {
            JournalReader from = reader;
            if (from == null) {
                from = journal.reader(sent);
                reader = from;
            }
            while (inFlight.size() < GROUPS_IN_FLIGHT) {
                awake.set(false);
                long bytes = acceptedPosition.getAsLong() - sent;
                if (bytes < SMALL_GROUP_BYTES && (!inFlight.isEmpty() || bytes > 0 && waitsToGather())) {
                    // Small records behind a group in flight are sent together when it is answered, which is no later:
                    // Postgres processes one group after the other.
                    awake.set(true);
                    return;
                }
                DrainGroup group = DrainGroup.fill(from, sent, acceptedPosition.getAsLong());
                if (group.isEmpty()) {
                    if (inFlight.isEmpty()) {
                        emptyUpTo = from.nextPosition();
                        // This includes waiters for a position that lies between two records.
                        waiting.drainedTo(Long.MAX_VALUE);
                    }
                    return;
                }
                send(open, group);
            }
        } catch (JournalUnavailable | Failure e) {
            // Nothing beyond this record can be drained; everything before it has been.
            giveUp(LogFailures.broken(String.valueOf(e.getMessage()), e));
        }
    }

    private boolean waitsToGather() {
        long early = gatherUntil - System.nanoTime();
        if (early <= 0 || !waiting.isEmpty()) {
            return false;
        }
        if (!gathering) {
            gathering = true;
            vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(early)), t -> {
                gathering = false;
                advance();
            });
        }
        return true;
    }

    private void send(DrainConnection used, DrainGroup group) {
        inFlight.add(group);
        gatherUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GATHER_MS);
        sent = group.end();
        used.send(group).onComplete(sending -> {
            if (used == connection) {
                settle(used, group, sending);
            }
        });
    }

    private void settle(DrainConnection used, DrainGroup group, AsyncResult<DrainConnection.Written> sending) {
        if (sending.failed()) {
            Throwable failure = sending.cause();
            if (failure instanceof PgException e && UNIQUE_VIOLATION.equals(e.getSqlState())) {
                giveUp(LogFailures.broken(
                        "the database holds another record where this node has one of its own; " + reason(failure),
                        failure));
            } else {
                disconnect(used, reason(failure));
            }
            return;
        }
        if (!sending.result().done()) {
            disconnect(used, "the position in the database has moved");
            return;
        }
        inFlight.remove(group);
        for (long streamNo : sending.result().refused()) {
            for (Drained listener : listeners) {
                listener.refused(streamNo);
            }
        }
        confirm(group);
        advance();
    }

    private void confirm(DrainGroup group) {
        outage.resetBackoff();
        drained = group.end();
        for (Drained listener : listeners) {
            listener.drained(group);
        }
        journal.release(group.end());
        waiting.drainedTo(drained);
    }

    private void disconnect(DrainConnection lost, String why) {
        connection = null;
        reader = null;
        lost.close();
        retryLater(why);
    }

    private void retryLater(String why) {
        busy = true;
        outage.retryLater(why, () -> {
            busy = false;
            advance();
        });
    }

    private void connect() {
        busy = true;
        DrainConnection.open(database, node, GROUPS_IN_FLIGHT, answerWithinMs).onComplete(opening -> {
            busy = false;
            if (opening.succeeded()) {
                onConnected(opening.result());
            } else if (opening.cause() instanceof Failure fenced && fenced.code() == FailureCode.NODE_FENCED) {
                giveUp(fenced);
            } else {
                retryLater(reason(opening.cause()));
            }
        });
    }

    private void onConnected(DrainConnection open) {
        if (stopped) {
            open.close();
            return;
        }
        inFlight.clear();
        try {
            confirmUpTo(open.position());
        } catch (JournalUnavailable | Failure e) {
            open.close();
            giveUp(LogFailures.broken(String.valueOf(e.getMessage()), e));
            return;
        }
        sent = open.position();
        connection = open;
        outage.recovered(undrainedBytes());
        open.whenLost(() -> {
            if (connection == open) {
                disconnect(open, "the connection was closed");
            }
        });
        open.whenClaimed(fenced -> {
            if (connection == open && broken == null) {
                connection = null;
                open.close();
                giveUp(fenced);
            }
        });
        advance();
    }

    /**
     * Groups whose answer was lost with a connection may have been written, even after other groups with other ends
     * were sent in their place; so the records below a position are read from the journal.
     */
    private void confirmUpTo(long position) {
        if (drained < position) {
            JournalReader missed = journal.reader(drained);
            while (drained < position) {
                DrainGroup group = DrainGroup.fill(missed, drained, position);
                if (group.isEmpty()) {
                    throw LogFailures.broken(
                            "the database is at position " + position + " of a journal that ends before", null);
                }
                confirm(group);
            }
        }
    }

    private void giveUp(Failure why) {
        broken = why;
        outage.giveUp(String.valueOf(why.getMessage()));
        log.error("The ledger has stopped: {}", why.getMessage());
        for (Drained listener : listeners) {
            listener.fenced(why);
        }
        waiting.fail(why);
    }

    private static String reason(Throwable failure) {
        return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }
}
