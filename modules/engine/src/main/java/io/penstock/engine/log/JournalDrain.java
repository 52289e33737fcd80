package io.penstock.engine.log;

import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalReader;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads the journal into Postgres, in order and exactly once: each group moves the node's position and writes its rows in one
 * statement, and does neither if the position or the epoch is not what it should be. While Postgres is away it tries again,
 * and the journal keeps. Lives on one context; only {@link #wake} and the getters may be called from elsewhere.
 */
final class JournalDrain {

    /** Told of what has reached Postgres, group by group, in order. */
    interface Drained {
        void drained(DrainGroup group);

        /** Nothing more will be: this process is no longer the node's. */
        default void fenced(Failure why) {}
    }

    /** Somebody who waits until everything below a position is in Postgres. */
    private record Waiting(long position, Promise<Void> promise) {}

    private static final Logger log = LoggerFactory.getLogger(JournalDrain.class);

    /** One is being written while the next is on its way. */
    private static final int GROUPS_UNDER_WAY = 2;

    /** A group takes milliseconds; a disk that stalls, or a lock, may take many of them. */
    static final long ANSWER_WITHIN_MS = 30_000;

    private static final String UNIQUE_VIOLATION = "23505";

    private static final long FIRST_RETRY_MS = 20;
    private static final long LAST_RETRY_MS = 1000;

    private final Vertx vertx;
    private final Context context;
    private final Database database;
    private final Journal journal;
    private final LongSupplier acceptedPosition;
    private final NodeClaim node;
    private final long answerWithinMs;
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Set<Integer> frameDays = new HashSet<>();
    private final Set<Integer> keyDays = new HashSet<>();
    private final Deque<DrainGroup> underWay = new ArrayDeque<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final List<Drained> listeners = new CopyOnWriteArrayList<>();

    private @Nullable PgConnection connection;
    private @Nullable JournalReader reader;
    private long sent;
    private boolean busy;
    private @Nullable Failure broken;
    private boolean stopped;
    private long retryMs = FIRST_RETRY_MS;

    private volatile long drained;

    /** No record lies between {@link #drained} and this: the head of a journal file is not one. */
    private volatile long emptyUpTo;

    private volatile @Nullable String away;

    /** @param answerWithinMs after which a connection on which nothing is answered is given up */
    JournalDrain(
            Vertx vertx,
            Database database,
            Journal journal,
            LongSupplier acceptedPosition,
            NodeClaim node,
            long answerWithinMs) {
        this.answerWithinMs = answerWithinMs;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.database = database;
        this.journal = journal;
        this.acceptedPosition = acceptedPosition;
        this.node = node;
        this.drained = node.drained();
        this.sent = node.drained();
    }

    void tell(Drained listener) {
        listeners.add(listener);
    }

    /** Bytes of the journal that are not in Postgres yet. */
    long undrainedBytes() {
        return Math.max(0, journal.tail() - Math.max(drained, emptyUpTo));
    }

    /** Why Postgres is not being reached just now, or null. */
    @Nullable
    String away() {
        return away;
    }

    /** There may be something to drain. */
    void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            context.runOnContext(v -> {
                awake.set(false);
                move();
            });
        }
    }

    /** Completes when all that is accepted now has reached Postgres, whatever comes meanwhile. */
    Future<Void> drainAll() {
        return onContext(() -> {
            Failure why = stopped ? LogFailures.closed() : broken;
            if (why != null) {
                return Future.failedFuture(why);
            }
            var all = new Waiting(acceptedPosition.getAsLong(), Promise.promise());
            waiting.add(all);
            move();
            if (connection != null) {
                tellWaiting(drained);
            }
            return all.promise().future();
        });
    }

    /** Stops where it is; what is left stays in the journal for the next start. */
    Future<Void> stop() {
        return onContext(() -> {
            stopped = true;
            failWaiting(LogFailures.closed());
            PgConnection open = connection;
            connection = null;
            return open == null ? Future.succeededFuture() : open.close();
        });
    }

    private <T> Future<T> onContext(Supplier<Future<T>> action) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(v -> action.get().onComplete(promise));
        return promise.future();
    }

    private void move() {
        if (stopped || busy || broken != null) {
            return;
        }
        PgConnection open = connection;
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
            while (underWay.size() < GROUPS_UNDER_WAY) {
                DrainGroup group = DrainGroup.fill(from, sent, acceptedPosition.getAsLong());
                if (group.isEmpty()) {
                    if (underWay.isEmpty()) {
                        emptyUpTo = from.nextPosition();
                        // Also those who wait for a position that lies between two records.
                        tellWaiting(Long.MAX_VALUE);
                    }
                    return;
                }
                send(open, group);
            }
        } catch (JournalUnavailable | Failure e) {
            // Nothing can be drained past this; what is before it has been.
            giveUp(LogFailures.broken(String.valueOf(e.getMessage()), e));
        }
    }

    private void tellWaiting(long drainedTo) {
        while (!waiting.isEmpty() && waiting.getFirst().position() <= drainedTo) {
            waiting.removeFirst().promise().complete();
        }
    }

    private void send(PgConnection open, DrainGroup group) {
        underWay.add(group);
        sent = group.end();
        for (int day : group.frameDays()) {
            if (frameDays.add(day)) {
                Partitions.ensureFrameDay(open, day).onFailure(e -> frameDays.remove(day));
            }
        }
        for (int day : group.keyDays()) {
            if (keyDays.add(day)) {
                Partitions.ensureIdempotencyDay(open, day).onFailure(e -> keyDays.remove(day));
            }
        }
        open.preparedQuery(Sql.named("append_group"))
                .execute(group.parameters(node))
                // A server that vanished together with its network never closes the connection.
                .timeout(answerWithinMs, TimeUnit.MILLISECONDS)
                .onComplete(result -> settle(open, group, result.result(), result.cause()));
    }

    private void settle(PgConnection on, DrainGroup group, @Nullable RowSet<Row> rows, @Nullable Throwable failure) {
        if (on != connection) {
            return;
        }
        boolean written = rows != null && rows.iterator().next().getInteger("written") == 1;
        if (failure instanceof PgException e && UNIQUE_VIOLATION.equals(e.getSqlState())) {
            giveUp(LogFailures.broken(
                    "the database holds another record where this node has one of its own; " + reason(failure),
                    failure));
            return;
        }
        if (!written) {
            // Either way the position in the database now says how far it got.
            lose(on, failure == null ? "the position in the database has moved" : reason(failure));
            return;
        }
        underWay.remove(group);
        confirm(group);
        move();
    }

    private void confirm(DrainGroup group) {
        retryMs = FIRST_RETRY_MS;
        drained = group.end();
        for (Drained told : listeners) {
            told.drained(group);
        }
        journal.release(group.end());
        tellWaiting(drained);
    }

    private void lose(PgConnection on, String why) {
        connection = null;
        reader = null;
        // It may have failed for want of a partition that retention dropped since: they are made again if need be.
        frameDays.clear();
        keyDays.clear();
        on.close();
        stayAway(why);
    }

    private void stayAway(String why) {
        if (away == null) {
            log.warn("Postgres is away, the journal keeps what comes: {}", why);
        }
        away = why;
        busy = true;
        vertx.setTimer(retryMs, t -> {
            busy = false;
            move();
        });
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }

    private void connect() {
        busy = true;
        database.connect(2 * GROUPS_UNDER_WAY + 2)
                .compose(open -> open.preparedQuery(Sql.named("node_position"))
                        .execute(Tuple.of(node.nodeNo(), node.epoch()))
                        .timeout(answerWithinMs, TimeUnit.MILLISECONDS)
                        .onFailure(e -> open.close())
                        .map(rows -> {
                            connected(open, rows);
                            return null;
                        }))
                .onComplete(done -> {
                    busy = false;
                    if (done.failed()) {
                        stayAway(reason(done.cause()));
                    } else {
                        move();
                    }
                });
    }

    private void connected(PgConnection open, RowSet<Row> rows) {
        if (stopped) {
            open.close();
            return;
        }
        if (rows.size() == 0) {
            open.close();
            giveUp(new Failure(
                    FailureCode.NODE_FENCED,
                    "Another Penstock has taken over this node's place in the database; this one has stopped writing."
                            + " Was its data directory copied?"));
            return;
        }
        long position = rows.iterator().next().getLong("drained");
        underWay.clear();
        confirmUpTo(position);
        sent = position;
        connection = open;
        if (away != null) {
            log.info("Postgres is back; {} bytes of the journal wait for it", undrainedBytes());
            away = null;
        }
        // What the server says as it goes down; that it has gone is what counts, and the close tells it.
        open.exceptionHandler(e -> log.debug("Postgres says: {}", e.getMessage()));
        open.closeHandler(v -> {
            if (connection == open) {
                lose(open, "the connection was closed");
            }
        });
    }

    /**
     * Groups whose answer was lost with a connection may have been written, also after others had been sent in their place
     * that end elsewhere; so it is the journal that tells what lies below a position.
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
        away = why.getMessage();
        log.error("The ledger has stopped: {}", why.getMessage());
        for (Drained told : listeners) {
            told.fenced(why);
        }
        failWaiting(why);
    }

    private void failWaiting(Failure why) {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().promise().fail(why);
        }
    }

    private static String reason(Throwable failure) {
        return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }
}
