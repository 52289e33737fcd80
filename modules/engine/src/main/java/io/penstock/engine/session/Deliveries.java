package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The callers that wait for the ends of tasks. They are in memory only: a server that dies before it is known whether a caller got a result
 * leaves an end that the next server notifies of.
 */
final class Deliveries {

    /** Longer than an answer takes to be written; a notification must not wait for a caller that does not read. */
    private static final long WITHIN_MS = 5_000;

    private final Map<String, List<Delivery>> waiting = new HashMap<>();

    synchronized Delivery expect(String taskId) {
        var delivery = new Delivery();
        waiting.computeIfAbsent(taskId, first -> new ArrayList<>()).add(delivery);
        // An answer may be written before its end is recorded, which then still learns of it.
        delivery.any().onSuccess(got -> after(got ? WITHIN_MS : 0).onComplete(over -> forget(taskId, delivery)));
        return delivery;
    }

    private static Future<?> after(long ms) {
        return ms == 0 ? Future.succeededFuture() : Promise.promise().future().timeout(ms, TimeUnit.MILLISECONDS);
    }

    private synchronized void forget(String taskId, Delivery delivery) {
        waiting.computeIfPresent(taskId, (id, all) -> all.remove(delivery) && all.isEmpty() ? null : all);
    }

    /** Completes with whether one of the callers that wait for the task now, or have just waited, got the result of this run; never fails. */
    Future<Boolean> delivered(String taskId, int run) {
        List<Future<Boolean>> all;
        synchronized (this) {
            all = waiting.getOrDefault(taskId, List.of()).stream()
                    .map(delivery -> delivery.of(run))
                    .toList();
        }
        if (all.isEmpty()) {
            return Future.succeededFuture(false);
        }
        Promise<Boolean> any = Promise.promise();
        all.forEach(each -> each.onSuccess(delivered -> {
            if (delivered) {
                any.tryComplete(true);
            }
        }));
        Future.join(all).onComplete(none -> any.tryComplete(false));
        return any.future().timeout(WITHIN_MS, TimeUnit.MILLISECONDS).otherwise(false);
    }
}
