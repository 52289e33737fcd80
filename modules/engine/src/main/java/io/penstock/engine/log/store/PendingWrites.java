package io.penstock.engine.log.store;

import io.penstock.engine.address.Contexts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait in order until the journal has room. Guarded by the gate's lock; their futures complete on the
 * callers' contexts.
 */
final class PendingWrites {

    /** For begun streams and claimed keys; appends have a limit per stream. */
    private static final int MAX_WRITES = 100_000;

    private record PendingWrite<T>(Write<T> write, @Nullable StreamEntry entry, Promise<T> promise) {}

    private final Deque<PendingWrite<?>> queue = new ArrayDeque<>();

    boolean isEmpty() {
        return queue.isEmpty();
    }

    boolean isFull() {
        return queue.size() >= MAX_WRITES;
    }

    int size() {
        return queue.size();
    }

    <T> Future<T> add(Write<T> write, @Nullable StreamEntry entry) {
        if (entry != null) {
            entry.waiting++;
        }
        Promise<T> promise = Promise.promise();
        queue.add(new PendingWrite<>(write, entry, promise));
        return Contexts.onCallers(promise.future());
    }

    /**
     * Retries the writes in order, up to the first for which there is no room. Returns the completions to run outside
     * the lock.
     */
    List<Runnable> retry(JournalGate gate) {
        var outcomes = new ArrayList<Runnable>();
        while (!queue.isEmpty()) {
            PendingWrite<?> first = queue.removeFirst();
            Runnable outcome = retry(gate, first);
            if (outcome == null) {
                queue.addFirst(first);
                break;
            }
            outcomes.add(outcome);
        }
        return outcomes;
    }

    private static <T> @Nullable Runnable retry(JournalGate gate, PendingWrite<T> waiting) {
        Future<T> accepted = gate.attempt(waiting.write(), waiting.entry());
        if (accepted == null) {
            return null;
        }
        if (waiting.entry() != null) {
            waiting.entry().waiting--;
        }
        return () -> accepted.onComplete(waiting.promise());
    }

    /** Fails all pending writes. Returns the completions to run outside the lock. */
    List<Runnable> failAll(Throwable why) {
        var outcomes = new ArrayList<Runnable>();
        for (PendingWrite<?> waiting : queue) {
            outcomes.add(() -> waiting.promise().fail(why));
        }
        queue.clear();
        return outcomes;
    }
}
