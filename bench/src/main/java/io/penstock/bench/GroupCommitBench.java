package io.penstock.bench;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.bench.log.BenchPostgres;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.frames.Channel;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Several frames at once, from the first append until Postgres has confirmed them all. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 3)
public class GroupCommitBench {

    @Param({"1", "100", "1000"})
    public int frames = 1;

    private final Vertx vertx = Vertx.vertx();
    private @Nullable BenchPostgres postgres;
    private @Nullable Ledger ledger;
    private @Nullable StreamWriter writer;
    private long now;

    @Setup(Level.Trial)
    public void open() throws IOException, PostgresUnavailable {
        BenchPostgres started = BenchPostgres.start();
        postgres = started;
        ledger = await(Ledger.open(vertx, LedgerSettings.of(started.folder("journal"), started.connectOptions())));
        writer = await(ledger.frames().create(StreamId.task("bench")));
        now = System.currentTimeMillis();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, PostgresUnavailable {
        await(Objects.requireNonNull(ledger).close());
        await(vertx.close());
        Objects.requireNonNull(postgres).close();
    }

    @Benchmark
    public void commit() {
        StreamWriter writer = Objects.requireNonNull(this.writer);
        for (int i = 0; i < frames; i++) {
            writer.append(now, new ToolTaskOutputDelta(Channel.PTY, 1_000_000 + i, 1000, 1_001_000 + i));
        }
        await(Objects.requireNonNull(ledger).drained());
    }
}
