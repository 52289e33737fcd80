package io.penstock.engine.log.once;

import io.penstock.engine.ledger.Ledger;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Requests with a key, whose operations are counted. */
final class Requests {

    static final String ALICE = "user:alice";

    final AtomicInteger runs = new AtomicInteger();

    Future<String> once(Ledger ledger, String key, String request, Supplier<Future<String>> operation) {
        return once(ledger, ALICE, key, request, operation);
    }

    Future<String> once(
            Ledger ledger, String principal, String key, String request, Supplier<Future<String>> operation) {
        return ledger.idempotency()
                .once(principal, key, bytes(request), () -> {
                    runs.incrementAndGet();
                    return operation.get().map(Requests::bytes);
                })
                .map(answer -> new String(answer, StandardCharsets.UTF_8));
    }

    /** Answered with the given text if it runs. */
    Future<String> once(Ledger ledger, String key, String request, String answer) {
        return once(ledger, key, request, () -> Future.succeededFuture(answer));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
