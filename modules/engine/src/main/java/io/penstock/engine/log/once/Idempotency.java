package io.penstock.engine.log.once;

import io.penstock.engine.address.Contexts;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.drain.DrainGroup;
import io.penstock.engine.log.drain.LogRecord;
import io.penstock.engine.log.drain.StreamNumbers;
import io.penstock.engine.log.store.JournalGate;
import io.penstock.engine.log.store.LedgerReads;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes every request safe to repeat, even over a restart: a key is claimed in the journal before its operation runs,
 * and the answer is in the journal before any caller gets it.
 */
public final class Idempotency {

    private static final Logger log = LoggerFactory.getLogger(Idempotency.class);

    private static final long RETENTION_MS = TimeUnit.HOURS.toMillis(Limits.IDEMPOTENCY_HOURS);

    private static final byte[] EMPTY = {};

    private final JournalGate gate;
    private final LedgerReads reads;
    private final LongSupplier clockMs;
    private final Object lock;
    private final KnownKeys known = new KnownKeys(Limits.IDEMPOTENCY_ENTRIES, Limits.IDEMPOTENCY_MEMORY_BYTES);

    private record Call(OwnedKey key, byte[] fingerprint, Supplier<Future<byte[]>> operation) {}

    /** The remaining work of a call, run after the lock is released: operations and listeners never run under it. */
    private interface FollowUp {
        Future<byte[]> run();
    }

    public Idempotency(JournalGate gate, LedgerReads reads, LongSupplier clockMs) {
        this.gate = gate;
        this.reads = reads;
        this.clockMs = clockMs;
        this.lock = gate.lock();
    }

    /** The earliest day whose keys may still be valid. */
    static int firstDay(long nowMs) {
        return StreamNumbers.dayOfMillis(nowMs - RETENTION_MS);
    }

    /**
     * Runs the operation once and gives its answer to every request with this key and fingerprint. The operation is
     * called on the caller's context, if there is one, and completes when it has taken effect. An operation that fails
     * has done nothing, so the key is released; one that cannot know fails with {@code OUTCOME_UNKNOWN}, and the key
     * stays claimed.
     *
     * @param key chosen by the principal, never blank
     * @param fingerprint a digest of the whole request
     */
    public Future<byte[]> once(String principal, String key, byte[] fingerprint, Supplier<Future<byte[]>> operation) {
        if (fingerprint.length == 0 || fingerprint.length > Limits.IDEMPOTENCY_FINGERPRINT_BYTES) {
            return Future.failedFuture(KeyFailures.badFingerprint(fingerprint.length));
        }
        OwnedKey owned;
        try {
            owned = new OwnedKey(principal, key);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(LogFailures.refused(e));
        }
        return Contexts.onCallers(decide(new Call(owned, fingerprint.clone(), operation)))
                // Callers must not share an array that one of them may change.
                .map(answer -> answer.clone());
    }

    private Future<byte[]> decide(Call call) {
        FollowUp step;
        synchronized (lock) {
            Failure refusal = gate.refusal();
            if (refusal != null) {
                return Future.failedFuture(refusal);
            }
            KeyEntry entry = known.get(call.key());
            step = entry == null ? lookUp(call) : next(entry, call);
        }
        return step.run();
    }

    private FollowUp lookUp(Call call) {
        if (known.underWay() >= Limits.IDEMPOTENCY_UNDER_WAY) {
            return failing(KeyFailures.tooManyUnderWay());
        }
        Promise<Void> lookedUp = Promise.promise();
        KeyEntry entry = known.addLookingUp(call.key(), new KeyState.LookingUp(lookedUp));
        return () -> reads.find(call.key().principal(), call.key().key(), firstDay(clockMs.getAsLong()))
                .transform(found -> {
                    FollowUp step;
                    synchronized (lock) {
                        step = found.succeeded() ? found(entry, found.result(), call) : notFound(entry, found.cause());
                    }
                    lookedUp.handle(found.mapEmpty());
                    return step.run();
                });
    }

    private FollowUp notFound(KeyEntry entry, Throwable why) {
        known.settle(entry, new KeyState.Free(0));
        return failing(why);
    }

    private FollowUp found(KeyEntry entry, LedgerReads.@Nullable Used used, Call call) {
        if (used == null || used.fingerprint().length == 0) {
            return claim(entry, new KeyState.Free(used == null ? 0 : used.day()), call);
        }
        var claim = new KeyState.Claim(used.day(), used.fingerprint(), used.atMs());
        byte[] answer = used.answer();
        known.settle(entry, answer == null ? new KeyState.Unanswered(claim) : new KeyState.Answered(claim, answer));
        return next(entry, call);
    }

    private FollowUp next(KeyEntry entry, Call call) {
        return switch (entry.state) {
            case KeyState.LookingUp looking ->
                () -> Contexts.onCallers(looking.known().future()).compose(done -> decide(call));
            case KeyState.UnderWay underWay ->
                underWay.claim().isFor(call.fingerprint())
                        ? () -> underWay.answer().future()
                        : failing(KeyFailures.conflict(entry.key, underWay.claim()));
            case KeyState.Answered answered ->
                settled(entry, answered.claim(), call, () -> Future.succeededFuture(answered.answer()));
            case KeyState.Unanswered unanswered ->
                settled(
                        entry,
                        unanswered.claim(),
                        call,
                        failing(KeyFailures.outcomeUnknown(entry.key, unanswered.claim())));
            case KeyState.Free free -> claim(entry, free, call);
        };
    }

    private FollowUp settled(KeyEntry entry, KeyState.Claim claim, Call call, FollowUp sameRequest) {
        if (clockMs.getAsLong() - claim.atMs() >= RETENTION_MS) {
            return claim(entry, new KeyState.Free(claim.day()), call);
        }
        return claim.isFor(call.fingerprint()) ? sameRequest : failing(KeyFailures.conflict(entry.key, claim));
    }

    private static FollowUp failing(Throwable why) {
        return () -> Future.failedFuture(why);
    }

    private FollowUp claim(KeyEntry entry, KeyState.Free before, Call call) {
        if (!entry.isUnderWay() && known.underWay() >= Limits.IDEMPOTENCY_UNDER_WAY) {
            return failing(KeyFailures.tooManyUnderWay());
        }
        long now = clockMs.getAsLong();
        // The clock may go back, but the newest use of a key must stay the newest.
        int day = Math.max(StreamNumbers.dayOfMillis(now), before.fromDay());
        var underWay = new KeyState.UnderWay(new KeyState.Claim(day, call.fingerprint(), now), Promise.promise());
        known.setUnderWay(entry, underWay);
        return () -> {
            write(entry, call.fingerprint(), null, underWay.claim()).onComplete(claimed -> {
                if (claimed.succeeded()) {
                    run(entry, underWay, call.operation());
                } else {
                    fail(entry, underWay, before, claimed.cause());
                }
            });
            return underWay.answer().future();
        };
    }

    private void run(KeyEntry entry, KeyState.UnderWay underWay, Supplier<Future<byte[]>> operation) {
        Future<byte[]> outcome;
        try {
            outcome = Objects.requireNonNull(operation.get(), "The operation gave no future");
        } catch (Throwable e) {
            outcome = Future.failedFuture(e);
        }
        outcome.onComplete(done -> {
            if (done.failed()) {
                failed(entry, underWay, done.cause());
            } else {
                byte[] answer = done.result();
                answered(entry, underWay, answer == null ? EMPTY : answer.clone());
            }
        });
    }

    private void answered(KeyEntry entry, KeyState.UnderWay underWay, byte[] answer) {
        if (answer.length > Limits.IDEMPOTENCY_ANSWER_BYTES) {
            // The operation has taken effect, so a refusal would be false. Present waiters get the answer, later ones
            // cannot.
            log.warn(
                    "The answer to the request with the idempotency key {} has {} bytes and at most {} are kept;"
                            + " a repeat of it will fail with an unknown outcome",
                    entry.key,
                    answer.length,
                    Limits.IDEMPOTENCY_ANSWER_BYTES);
            settle(entry, new KeyState.Unanswered(underWay.claim()));
            underWay.answer().complete(answer);
            return;
        }
        write(entry, underWay.claim().fingerprint(), answer, underWay.claim()).onComplete(written -> {
            if (written.succeeded()) {
                settle(entry, new KeyState.Answered(underWay.claim(), answer));
                underWay.answer().complete(answer);
            } else {
                fail(entry, underWay, new KeyState.Unanswered(underWay.claim()), written.cause());
            }
        });
    }

    private void failed(KeyEntry entry, KeyState.UnderWay underWay, Throwable why) {
        var unanswered = new KeyState.Unanswered(underWay.claim());
        // An Error may have occurred anywhere, so it does not tell whether the operation took effect.
        if (why instanceof Error || why instanceof Failure f && f.code() == FailureCode.OUTCOME_UNKNOWN) {
            fail(entry, underWay, unanswered, why);
            return;
        }
        write(entry, EMPTY, null, underWay.claim())
                .onComplete(written -> fail(
                        entry,
                        underWay,
                        written.succeeded() ? new KeyState.Free(underWay.claim().day()) : unanswered,
                        why));
    }

    private void fail(KeyEntry entry, KeyState.UnderWay underWay, KeyState settled, Throwable why) {
        settle(entry, settled);
        underWay.answer().fail(why);
    }

    private void settle(KeyEntry entry, KeyState settled) {
        synchronized (lock) {
            known.settle(entry, settled);
        }
    }

    private Future<Boolean> write(KeyEntry entry, byte[] fingerprint, byte @Nullable [] answer, KeyState.Claim claim) {
        var record = new LogRecord.Keyed(
                claim.day(),
                entry.key.principal(),
                entry.key.key(),
                fingerprint,
                answer == null ? EMPTY : answer,
                answer != null,
                claim.atMs());
        return gate.write(() -> {
            long position = gate.append(out -> LogRecord.writeKeyed(out, record));
            if (position < 0) {
                return null;
            }
            entry.position = position;
            return true;
        });
    }

    /** The database has everything up to the end of this group. */
    public void drained(DrainGroup group) {
        synchronized (lock) {
            known.drainedTo(group.end());
        }
    }

    /** Number of keys in memory. */
    int keysInMemory() {
        synchronized (lock) {
            return known.size();
        }
    }
}
