package io.penstock.server.budget;

import io.penstock.frames.FailureCode;
import io.penstock.server.failure.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of large answers in progress, and of large request bodies. An answer acquires its share before it is made, and releases it when
 * it is written out or its connection is closed. An answer that does not fit waits for a while, then fails with 503. No
 * kind of answer has more than half of the budget, and released memory goes to the kind that has least. Small shares
 * always find some room that large ones leave. May be called from any thread.
 */
public final class AnswerBudget {

    /** Answers with the same costs and the same callers: many of one kind do not block those of another. */
    public enum Kind {
        SCREEN,
        VIEWER,
        OUTPUT,
        LIST,
        RECORDING,
        BODY,

        /** Held while a program runs, which may take a day. */
        RUN
    }

    /**
     * A quarter of the heap: another quarter is for the data that answers are made from, the rest for everything else.
     */
    private static final int HEAP_PART = 4;

    /** The part of the budget that one kind may take. */
    private static final int KIND_PART = 2;

    /** Large shares leave this part of the budget to small ones. */
    private static final int SMALL_PART = 8;

    /** Shares up to this part of the budget are small. */
    private static final int SMALL_SHARE_PART = 16;

    /** Answers of this size are not counted: one per possible connection takes about ten MiB. */
    private static final int TINY_BYTES = 16 * 1024;

    /** The most answers that wait for their share: each holds a connection and a request. */
    private static final int MAX_WAITING = 1024;

    /**
     * How long an answer waits before its caller is asked to retry: less than the minute after which gateways give up.
     */
    private static final long WAIT_MS = 40_000;

    /** During this part of that time, answers made from data that is already in memory may overtake it. */
    private static final int OVERTAKEN_PART = 2;

    /** An answer of which nothing is read for this long is aborted if another waits for its share. */
    private static final long STALLED_MS = 5_000;

    /** How often to look for stalled answers while others wait. */
    private static final long CHECK_STALLED_MS = 500;

    private final long limit;
    private final long waitMs;
    private final long stalledMs;
    private final Set<Share> shares = new LinkedHashSet<>();
    private final Set<WaitingAnswer> waiting = new LinkedHashSet<>();
    private final Map<Pool, Long> bytesByPool = new HashMap<>();
    private long takenBytes;
    private boolean checking;

    /** Small shares of a kind do not wait for large ones of it. */
    private record Pool(Kind kind, boolean small) {}

    private record WaitingAnswer(
            Pool of, String about, long bytes, Runnable abort, Promise<Share> share, long sinceNanos) {}

    /**
     * @param limit the bytes of all shares together
     * @param waitMs how long an answer waits for its share
     * @param stalledMs how long a share may be held by a caller that does nothing while others wait
     */
    public AnswerBudget(long limit, long waitMs, long stalledMs) {
        this.limit = limit;
        this.waitMs = waitMs;
        this.stalledMs = stalledMs;
    }

    /** A budget in proportion to the heap, for one server with all its edges. */
    public static AnswerBudget ofTheHeap() {
        return new AnswerBudget(Runtime.getRuntime().maxMemory() / HEAP_PART, WAIT_MS, STALLED_MS);
    }

    /** The bytes taken now. */
    public synchronized long takenBytes() {
        return takenBytes;
    }

    /**
     * Acquires a share, or waits for it.
     *
     * @param about what the answer is made from; answers about the same thing are best given together, while its data
     * is in memory
     * @param bytes the most that making and writing the answer may take; limited to what one kind may have
     * @param abort closes the connection of an answer whose caller reads nothing while others wait; it then releases
     * its share
     */
    public Future<Share> acquire(Vertx vertx, Kind kind, String about, long bytes, Runnable abort) {
        long wanted = bytes <= TINY_BYTES ? 0 : Math.min(bytes, limit / KIND_PART);
        var of = new Pool(kind, wanted <= limit / SMALL_SHARE_PART);
        synchronized (this) {
            // A waiting answer is not overtaken for being larger.
            boolean isFirst = waiting.stream().noneMatch(one -> one.of().equals(of));
            if (wanted == 0 || isFirst && fits(of, wanted)) {
                return Future.succeededFuture(grant(of, about, wanted, abort));
            }
            if (waiting.size() >= MAX_WAITING) {
                return Future.failedFuture(full());
            }
            Promise<Share> share = Promise.promise();
            waiting.add(new WaitingAnswer(of, about, wanted, abort, share, System.nanoTime()));
            if (!checking) {
                checking = true;
                checkStalledLater(vertx);
            }
            return share.future();
        }
    }

    private long shares(Pool of) {
        return bytesByPool.getOrDefault(of, 0L);
    }

    private boolean fits(Pool of, long bytes) {
        return hasPart(of, bytes) && takenBytes + bytes <= (of.small() ? limit : limit - limit / SMALL_PART);
    }

    private boolean hasPart(Pool of, long bytes) {
        return shares(of) + bytes <= limit / KIND_PART;
    }

    private Share grant(Pool of, String about, long bytes, Runnable abort) {
        var share = new Share(of, about, bytes, abort);
        shares.add(share);
        count(of, bytes);
        return share;
    }

    private void count(Pool of, long bytes) {
        takenBytes += bytes;
        bytesByPool.merge(of, bytes, Long::sum);
    }

    private static HttpFailure full() {
        return new HttpFailure(
                503,
                FailureCode.QUOTA_EXCEEDED,
                "The server has no memory for another large answer now; ask again, or ask for less at once");
    }

    private void checkStalledLater(Vertx vertx) {
        vertx.setTimer(Math.min(CHECK_STALLED_MS, stalledMs), now -> {
            cancelStalled();
            synchronized (this) {
                checking = !waiting.isEmpty();
                if (checking) {
                    checkStalledLater(vertx);
                }
            }
        });
    }

    private void cancelStalled() {
        var expired = new ArrayList<Promise<Share>>();
        var stalled = new ArrayList<Share>();
        synchronized (this) {
            long now = System.nanoTime();
            for (Iterator<WaitingAnswer> each = waiting.iterator(); each.hasNext(); ) {
                WaitingAnswer one = each.next();
                if (now - one.sinceNanos() >= TimeUnit.MILLISECONDS.toNanos(waitMs)) {
                    each.remove();
                    expired.add(one.share());
                }
            }
            if (!waiting.isEmpty()) {
                shares.stream().filter(share -> share.isStalled(now)).forEach(stalled::add);
            }
        }
        expired.forEach(answer -> answer.fail(full()));
        stalled.forEach(share -> share.abort.run());
    }

    /**
     * Grants shares to waiting answers that fit: in order of arrival within a kind, and first to the kind that has
     * taken least.
     */
    private void grantWaiting() {
        var granted = new ArrayList<Runnable>();
        synchronized (this) {
            for (WaitingAnswer next = next(); next != null; next = next()) {
                waiting.remove(next);
                Share share = grant(next.of(), next.about(), next.bytes(), next.abort());
                Promise<Share> pending = next.share();
                granted.add(() -> pending.complete(share));
            }
        }
        granted.forEach(Runnable::run);
    }

    private @Nullable WaitingAnswer next() {
        var firsts = new LinkedHashMap<Pool, WaitingAnswer>();
        waiting.forEach(one -> firsts.putIfAbsent(one.of(), one));
        Comparator<WaitingAnswer> least = Comparator.comparingLong(one -> shares(one.of()));
        Optional<WaitingAnswer> small = firsts.values().stream()
                .filter(one -> one.of().small() && fits(one.of(), one.bytes()))
                .min(least);
        // A large share waits until the free memory suffices for the kind that has taken least; otherwise it might
        // wait for ever.
        return small.or(() -> firsts.values().stream()
                        .filter(one -> !one.of().small() && hasPart(one.of(), one.bytes()))
                        .min(least)
                        .filter(one -> fits(one.of(), one.bytes()))
                        .map(this::orSameSubject))
                .orElse(null);
    }

    /**
     * Prefers an answer about something that a granted answer is already made from; but no answer is overtaken for
     * long.
     */
    private WaitingAnswer orSameSubject(WaitingAnswer first) {
        if (System.nanoTime() - first.sinceNanos() >= TimeUnit.MILLISECONDS.toNanos(waitMs / OVERTAKEN_PART)) {
            return first;
        }
        Set<String> given = shares.stream()
                .filter(share -> share.of.equals(first.of()))
                .map(share -> share.about)
                .collect(Collectors.toSet());
        return waiting.stream()
                .filter(one ->
                        one.of().equals(first.of()) && given.contains(one.about()) && fits(one.of(), one.bytes()))
                .findFirst()
                .orElse(first);
    }

    /** The memory of one answer. */
    public final class Share {

        private final Pool of;
        private final String about;
        private final Runnable abort;
        private long bytes;
        private long movedNanos = System.nanoTime();

        /** Whether the receiver has to act next, not the maker of the answer. */
        private boolean offered;

        private Share(Pool of, String about, long bytes, Runnable abort) {
            this.of = of;
            this.about = about;
            this.bytes = bytes;
            this.abort = abort;
        }

        private boolean isStalled(long nowNanos) {
            return offered && nowNanos - movedNanos >= TimeUnit.MILLISECONDS.toNanos(stalledMs);
        }

        /** Sets the actual size when the answer's data is known, until all of it is written out. */
        public void resize(long actualBytes) {
            change(actualBytes);
        }

        /** The connection's queue is full, and the receiver has to read some of it; or more of a request is to come. */
        public void offered() {
            synchronized (AnswerBudget.this) {
                offered = true;
                movedNanos = System.nanoTime();
            }
        }

        /** The receiver has read some, and the next piece is being made. */
        public void moved() {
            synchronized (AnswerBudget.this) {
                offered = false;
            }
        }

        /** Releases the share; calling it twice does nothing. */
        public void giveBack() {
            change(0);
        }

        private void change(long to) {
            synchronized (AnswerBudget.this) {
                if (!shares.contains(this)) {
                    return;
                }
                count(of, to - bytes);
                bytes = to;
                if (to == 0) {
                    shares.remove(this);
                }
            }
            grantWaiting();
        }
    }
}
