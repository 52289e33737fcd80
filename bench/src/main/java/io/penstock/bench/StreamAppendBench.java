package io.penstock.bench;

import static io.penstock.bench.log.BenchPostgres.await;

import com.sun.management.ThreadMXBean;
import io.penstock.bench.log.BenchPostgres;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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

/**
 * One append on one thread, with the ledger of a server: the goal is 2 µs at p50. The drain copies the frames to
 * Postgres meanwhile and finishes between the iterations, which are short because appending is ten times as fast. The
 * profiler's allocation figure covers both; the appending thread's own share is printed at the end.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 250, timeUnit = TimeUnit.MILLISECONDS)
public class StreamAppendBench {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Param({"delta", "notice"})
    public String body = "delta";

    private FrameBody given = new TaskNotice("held", "x");
    private final Vertx vertx = Vertx.vertx();
    private @Nullable BenchPostgres postgres;
    private @Nullable Ledger ledger;
    private @Nullable StreamWriter writer;
    private long now;
    private long heldBack;
    private long appended;
    private long allocatedBefore;
    private long allocated;

    @Setup(Level.Trial)
    public void open() throws IOException, PostgresUnavailable {
        given = body.equals("delta")
                ? new ToolTaskOutputDelta(Channel.PTY, 1_000_000, 1000, 1_001_000)
                : new TaskNotice(
                        "held", "The pipe is still held by a process that the task has left behind.".repeat(3));
        BenchPostgres started = BenchPostgres.start();
        postgres = started;
        ledger = await(Ledger.open(vertx, LedgerSettings.of(started.folder("journal"), started.connectOptions())));
        writer = await(ledger.frames().create(StreamId.task("bench")));
        now = System.currentTimeMillis();
    }

    @Setup(Level.Iteration)
    public void drain() {
        await(Objects.requireNonNull(ledger).drained());
        appended = Objects.requireNonNull(writer).nextSeq();
        allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    }

    @TearDown(Level.Iteration)
    public void count() {
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
        appended = Objects.requireNonNull(writer).nextSeq() - appended;
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, PostgresUnavailable {
        System.out.println("held back " + heldBack + " times; the appending thread allocated " + allocated / appended
                + " B per append");
        await(Objects.requireNonNull(ledger).close());
        await(vertx.close());
        Objects.requireNonNull(postgres).close();
    }

    @Benchmark
    public Future<Frame> append() {
        Future<Frame> accepted = Objects.requireNonNull(writer).append(now, given);
        if (!accepted.succeeded()) {
            heldBack++;
            await(accepted);
        }
        return accepted;
    }
}
