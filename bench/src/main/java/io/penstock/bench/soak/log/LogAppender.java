package io.penstock.bench.soak.log;

import io.penstock.engine.ledger.Ledger;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A program that appends to many streams as fast as it can and reports accepted frames, until it is killed. */
final class LogAppender {

    private static final int THREADS = 3;

    private static final long ANSWER_WITHIN_SECONDS = 120;

    private LogAppender() {}

    public static void main(String[] args) throws Exception {
        Orders orders = Orders.of(args);
        Vertx vertx = Vertx.vertx();
        Ledger ledger = open(vertx, orders);
        ledger.recovery().sentences().forEach(sentence -> AppenderOutput.print(AppenderOutput.RECOVERED + sentence));
        AppenderOutput.print(AppenderOutput.READY);
        var writers = new AtomicLong(orders.life() * 1_000_000L);
        List<Map<String, Long>> shares = shares(orders.known());
        for (int t = 0; t < THREADS; t++) {
            var work = new AppenderThread(ledger, orders, t, writers, shares.get(t));
            Thread.ofPlatform().name("appender-" + t).start(() -> {
                try {
                    work.run();
                } catch (Throwable e) {
                    AppenderOutput.print(AppenderOutput.WRONG + "an appender ended: " + e);
                    e.printStackTrace();
                }
            });
        }
        boolean held = false;
        while (true) {
            Thread.sleep(5);
            boolean waits = ledger.health().waitingWrites() > 0;
            if (waits && !held) {
                AppenderOutput.print(AppenderOutput.HELD);
            }
            held = waits;
        }
    }

    /** Retries while Postgres is down or the disk is full: a failed opening changes nothing. */
    private static Ledger open(Vertx vertx, Orders orders) throws InterruptedException, TimeoutException {
        while (true) {
            try {
                return await(Ledger.open(vertx, orders.settings()));
            } catch (ExecutionException e) {
                AppenderOutput.print(AppenderOutput.REFUSED + e.getCause());
                Thread.sleep(20);
            }
        }
    }

    static <T extends @Nullable Object> T await(Future<T> future)
            throws ExecutionException, InterruptedException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    /** Each stream belongs to one thread. */
    private static List<Map<String, Long>> shares(Map<String, Long> known) {
        var shares = new ArrayList<Map<String, Long>>();
        for (int t = 0; t < THREADS; t++) {
            shares.add(new java.util.LinkedHashMap<>());
        }
        int next = 0;
        for (Map.Entry<String, Long> stream : known.entrySet()) {
            shares.get(next++ % THREADS).put(stream.getKey(), stream.getValue());
        }
        return shares;
    }
}
