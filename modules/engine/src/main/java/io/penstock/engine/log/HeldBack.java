package io.penstock.engine.log;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes that wait until the journal has room, in the order in which they came. Guarded by the gate's lock; their futures
 * complete on the contexts of those who wait.
 */
final class HeldBack {

    /** Begun streams and claimed keys; appends have a limit of their own, per stream. */
    private static final int MAX_WRITES = 100_000;

    private record Waiting<T>(Write<T> write, @Nullable StreamEntry entry, Promise<T> promise) {}

    private final Deque<Waiting<?>> queue = new ArrayDeque<>();

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
        queue.add(new Waiting<>(write, entry, promise));
        return JournalGate.onCallersContext(promise.future());
    }

    /** Lets them write in order, up to the first for which there is no room. Answers what is to be told, outside the lock. */
    List<Runnable> retry(JournalGate gate) {
        var toTell = new ArrayList<Runnable>();
        while (!queue.isEmpty()) {
            Waiting<?> first = queue.removeFirst();
            Runnable outcome = retry(gate, first);
            if (outcome == null) {
                queue.addFirst(first);
                break;
            }
            toTell.add(outcome);
        }
        return toTell;
    }

    private static <T> @Nullable Runnable retry(JournalGate gate, Waiting<T> waiting) {
        Future<T> accepted = gate.attempt(waiting.write(), waiting.entry());
        if (accepted == null) {
            return null;
        }
        if (waiting.entry() != null) {
            waiting.entry().waiting--;
        }
        return () -> accepted.onComplete(waiting.promise());
    }

    /** None of them will be written. Answers what is to be told, outside the lock. */
    List<Runnable> failAll(Throwable why) {
        var toTell = new ArrayList<Runnable>();
        for (Waiting<?> waiting : queue) {
            toTell.add(() -> waiting.promise().fail(why));
        }
        queue.clear();
        return toTell;
    }
}
