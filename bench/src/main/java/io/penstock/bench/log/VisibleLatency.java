package io.penstock.bench.log;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The latency of a frame on a quiet node: until it is accepted, and from there until Postgres has confirmed it. From
 * the confirmation on, every query sees it; so this slightly exceeds the true latency, by the transport of the answer.
 */
final class VisibleLatency {

    private static final int PER_SECOND = 1000;
    private static final int WARM_UP = PER_SECOND;
    private static final int MEASURED = 4 * PER_SECOND;

    private VisibleLatency() {}

    static void measure(Vertx vertx, BenchPostgres postgres) {
        System.out.printf("""

                One frame at a time, %d a second, µs: p50 / p99 / most of %,d frames.
                fsync              |  append until accepted      |  accepted until confirmed by Postgres
                """, PER_SECOND, MEASURED);
        measure(vertx, postgres, "never", new Fsync.Never());
        measure(vertx, postgres, "interval", new Fsync.Interval(Duration.ofMillis(10)));
        measure(vertx, postgres, "always", new Fsync.Always());
    }

    private static void measure(Vertx vertx, BenchPostgres postgres, String name, Fsync fsync) {
        Ledger ledger = await(Ledger.open(
                vertx,
                LedgerSettings.of(postgres.folder("journal-" + name), postgres.connectOptions())
                        .withSchema("latency_" + name)
                        .withFsync(fsync)));
        StreamWriter writer = await(ledger.frames().create(StreamId.task("latency")));
        var accepted = new long[MEASURED];
        var confirmed = new long[MEASURED];
        var left = new CountDownLatch(MEASURED);
        long next = System.nanoTime();
        for (int i = -WARM_UP; i < MEASURED; i++) {
            next += 1_000_000_000L / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
            int at = i;
            long begin = System.nanoTime();
            Future<Frame> frame = writer.append(
                    System.currentTimeMillis(), new ToolTaskOutputDelta(Channel.PTY, i + WARM_UP, 1, i + WARM_UP + 1));
            frame.onSuccess(f -> {
                long then = System.nanoTime();
                ledger.drained().onSuccess(v -> {
                    if (at >= 0) {
                        accepted[at] = then - begin;
                        confirmed[at] = System.nanoTime() - then;
                        left.countDown();
                    }
                });
            });
        }
        try {
            if (!left.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException(left.getCount() + " frames did not reach Postgres within 30 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        await(ledger.close());
        System.out.printf("%-18s | %-27s | %s%n", name, percentiles(accepted), percentiles(confirmed));
    }

    private static String percentiles(long[] nanos) {
        Arrays.sort(nanos);
        return String.format(
                Locale.ROOT,
                "%5.0f / %5.0f / %5.0f",
                nanos[nanos.length / 2] / 1e3,
                nanos[nanos.length * 99 / 100] / 1e3,
                nanos[nanos.length - 1] / 1e3);
    }
}
