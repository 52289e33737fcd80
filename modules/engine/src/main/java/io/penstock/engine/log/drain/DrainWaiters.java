package io.penstock.engine.log.drain;

import io.penstock.frames.Failure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;

/** Callers that wait until everything below a position is in Postgres; positions only grow. Used on one context. */
final class DrainWaiters {

    private record Waiter(long position, Promise<Void> promise) {}

    private final Deque<Waiter> waiting = new ArrayDeque<>();

    Future<Void> until(long position) {
        Promise<Void> promise = Promise.promise();
        waiting.add(new Waiter(position, promise));
        return promise.future();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void drainedTo(long position) {
        while (!waiting.isEmpty() && waiting.getFirst().position() <= position) {
            waiting.removeFirst().promise().complete();
        }
    }

    void fail(Failure why) {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().promise().fail(why);
        }
    }
}
