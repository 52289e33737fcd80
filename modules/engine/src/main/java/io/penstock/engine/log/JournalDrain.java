package io.penstock.engine.log;

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
 * Leads the journal into Postgres, in order and exactly once: each group moves the node's position and writes its rows in one
 * statement, and does neither if the position or the epoch is not what it should be. While Postgres is away it tries again,
 * and the journal keeps. Lives on one context; only {@link #wake} and the getters may be called from elsewhere.
 */
final class JournalDrain {

    /** Told of what has reached Postgres, group by group, in order. */
    interface Drained {
        void drained(DrainGroup group);

        /** A new stream has the name of one that the database has already: it cannot go on. */
        default void refused(long streamNo) {}

        /** Nothing more will be: this process is no longer the node's. */
        default void fenced(Failure why) {}
    }

    private static final Logger log = LoggerFactory.getLogger(JournalDrain.class);

    /** One is being written while the next is on its way. */
    private static final int GROUPS_UNDER_WAY = 2;

    /** About as much as a full group of pieces of output has. */
    private static final int WORTH_A_GROUP_BYTES = 32 * 1024;

    /**
     * The first after a pause goes at once. What comes sooner than this after a group, and is small, goes with the rest of that time,
     * since each group is a sync of the disk, wakes three threads and takes a processor for a millisecond, in which keys wait that are
     * typed, whatever is in it. Who waits for Postgres is not kept waiting.
     */
    private static final long GATHER_MS = 20;

    /** A group takes milliseconds; a disk that stalls, or a lock, may take many of them. */
    static final long ANSWER_WITHIN_MS = 30_000;

    private static final String UNIQUE_VIOLATION = "23505";

    private final Vertx vertx;
    private final Context context;
    private final Database database;
    private final Journal journal;
    private final LongSupplier acceptedPosition;
    private final NodeClaim node;
    private final long answerWithinMs;

    /** That it will look at the journal again without being told: not only while it is woken, but also while it may send nothing. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final Deque<DrainGroup> underWay = new ArrayDeque<>();
    private final DrainWaiters waiting = new DrainWaiters();
    private final Outage outage;
    private final List<Drained> listeners = new CopyOnWriteArrayList<>();

    private @Nullable DrainLine line;
    private @Nullable JournalReader reader;
    private long sent;
    private long gatherUntil = System.nanoTime();
    private boolean gathering;
    private boolean busy;
    private @Nullable Failure broken;
    private boolean stopped;
    private volatile long drained;

    /** No record lies between {@link #drained} and this: the head of a journal file is not one. */
    private volatile long emptyUpTo;

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
        this.outage = new Outage(vertx);
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
        return outage.why();
    }

    /** There may be something to drain. */
    void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            context.runOnContext(v -> move());
        }
    }

    /** Completes when all that is accepted now has reached Postgres, whatever comes meanwhile. */
    Future<Void> drainAll() {
        return onContext(() -> {
            Failure why = stopped ? LogFailures.closed() : broken;
            if (why != null) {
                return Future.failedFuture(why);
            }
            Future<Void> all = waiting.until(acceptedPosition.getAsLong());
            move();
            if (line != null) {
                waiting.drainedTo(drained);
            }
            return all;
        });
    }

    /** Stops where it is; what is left stays in the journal for the next start. */
    Future<Void> stop() {
        return onContext(() -> {
            stopped = true;
            waiting.fail(LogFailures.closed());
            DrainLine open = line;
            line = null;
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
        DrainLine open = line;
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
                awake.set(false);
                long bytes = acceptedPosition.getAsLong() - sent;
                if (bytes < WORTH_A_GROUP_BYTES && (!underWay.isEmpty() || bytes > 0 && gathers())) {
                    // Those behind one that is under way go together when that is answered, which is not later:
                    // Postgres
                    // takes one after the other.
                    awake.set(true);
                    return;
                }
                DrainGroup group = DrainGroup.fill(from, sent, acceptedPosition.getAsLong());
                if (group.isEmpty()) {
                    if (underWay.isEmpty()) {
                        emptyUpTo = from.nextPosition();
                        // Also those who wait for a position that lies between two records.
                        waiting.drainedTo(Long.MAX_VALUE);
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

    private boolean gathers() {
        long early = gatherUntil - System.nanoTime();
        if (early <= 0 || !waiting.isEmpty()) {
            return false;
        }
        if (!gathering) {
            gathering = true;
            vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(early)), t -> {
                gathering = false;
                move();
            });
        }
        return true;
    }

    private void send(DrainLine on, DrainGroup group) {
        underWay.add(group);
        gatherUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GATHER_MS);
        sent = group.end();
        on.send(group).onComplete(sending -> {
            if (on == line) {
                settle(on, group, sending);
            }
        });
    }

    private void settle(DrainLine on, DrainGroup group, AsyncResult<DrainLine.Written> sending) {
        if (sending.failed()) {
            Throwable failure = sending.cause();
            if (failure instanceof PgException e && UNIQUE_VIOLATION.equals(e.getSqlState())) {
                giveUp(LogFailures.broken(
                        "the database holds another record where this node has one of its own; " + reason(failure),
                        failure));
            } else {
                lose(on, reason(failure));
            }
            return;
        }
        if (!sending.result().done()) {
            lose(on, "the position in the database has moved");
            return;
        }
        underWay.remove(group);
        for (long streamNo : sending.result().refused()) {
            for (Drained told : listeners) {
                told.refused(streamNo);
            }
        }
        confirm(group);
        move();
    }

    private void confirm(DrainGroup group) {
        outage.isForgotten();
        drained = group.end();
        for (Drained told : listeners) {
            told.drained(group);
        }
        journal.release(group.end());
        waiting.drainedTo(drained);
    }

    private void lose(DrainLine lost, String why) {
        line = null;
        reader = null;
        lost.close();
        stayAway(why);
    }

    private void stayAway(String why) {
        busy = true;
        outage.goesOn(why, () -> {
            busy = false;
            move();
        });
    }

    private void connect() {
        busy = true;
        DrainLine.open(database, node, GROUPS_UNDER_WAY, answerWithinMs).onComplete(opening -> {
            busy = false;
            if (opening.succeeded()) {
                connected(opening.result());
            } else if (opening.cause() instanceof Failure fenced && fenced.code() == FailureCode.NODE_FENCED) {
                giveUp(fenced);
            } else {
                stayAway(reason(opening.cause()));
            }
        });
    }

    private void connected(DrainLine open) {
        if (stopped) {
            open.close();
            return;
        }
        underWay.clear();
        try {
            confirmUpTo(open.position());
        } catch (JournalUnavailable | Failure e) {
            open.close();
            giveUp(LogFailures.broken(String.valueOf(e.getMessage()), e));
            return;
        }
        sent = open.position();
        line = open;
        outage.isOver(undrainedBytes());
        open.whenLost(() -> {
            if (line == open) {
                lose(open, "the connection was closed");
            }
        });
        move();
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
        outage.neverEnds(String.valueOf(why.getMessage()));
        log.error("The ledger has stopped: {}", why.getMessage());
        for (Drained told : listeners) {
            told.fenced(why);
        }
        waiting.fail(why);
    }

    private static String reason(Throwable failure) {
        return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    }
}
