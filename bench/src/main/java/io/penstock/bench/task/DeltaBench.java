package io.penstock.bench.task;

import com.sun.management.ThreadMXBean;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One piece of output on its whole way, one at a time: written to the program's own descriptor, read on the shard's
 * event loop, into the artifact, folded, into the journal, to one follower, which then writes the next. {@link #copy}
 * is the reference: the same write, read and write to a file, for as many programs, and nothing else. The engine is a
 * server's, with a Postgres that drains meanwhile on the other core; so the time of the event loop's own thread is
 * printed as well.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class DeltaBench {

    private static final int PIECES = 200;

    /**
     * Enough tasks that each writes less often than the interval in which its output is gathered; whole buffers are not
     * gathered.
     */
    private static final int TASKS = 300;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A terminal does not buffer 64 KiB, and one thread both writes and reads here. */
    @Param({"pipes 64", "pipes 4096", "pipes 65536", "pty 64", "pty 4096"})
    public String piece = "pipes 64";

    private @Nullable BenchEngine engine;
    private @Nullable EchoedTasks tasks;
    private final List<BareCopy> bare = new ArrayList<>();
    private int nextCopy;
    private long cpuBefore;
    private long allocatedBefore;
    private long pieces;
    private final StringBuilder said = new StringBuilder();

    @Setup(Level.Trial)
    public void open() throws Exception {
        BenchEngine started = BenchEngine.start();
        engine = started;
        String mode = piece.substring(0, piece.indexOf(' '));
        int bytes = Integer.parseInt(piece.substring(piece.indexOf(' ') + 1));
        int programs = bytes == Limits.DELTA_BYTES ? 1 : TASKS;
        tasks = EchoedTasks.begin(started, mode, bytes, programs);
        for (int i = 0; i < programs; i++) {
            bare.add(BareCopy.begin(Files.createDirectory(started.folder().resolve("copy" + i)), mode, bytes));
        }
    }

    @Setup(Level.Iteration)
    public void begin() {
        long thread = Objects.requireNonNull(tasks).loopThread();
        pieces = 0;
        cpuBefore = THREADS.getThreadCpuTime(thread);
        allocatedBefore = THREADS.getThreadAllocatedBytes(thread);
    }

    @TearDown(Level.Iteration)
    public void end() {
        long thread = Objects.requireNonNull(tasks).loopThread();
        if (pieces > 0) {
            double cpu = (double) (THREADS.getThreadCpuTime(thread) - cpuBefore) / pieces;
            double allocated = (double) (THREADS.getThreadAllocatedBytes(thread) - allocatedBefore) / pieces;
            said.append(String.format(Locale.ROOT, " %.0f ns %.0f B;", cpu, allocated));
        }
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (!said.isEmpty()) {
            System.out.println("the event loop's thread, each piece, by iteration:" + said);
        }
        for (BareCopy copy : bare) {
            copy.close();
        }
        Objects.requireNonNull(engine).close();
    }

    @Benchmark
    @OperationsPerInvocation(PIECES)
    public void path() {
        Objects.requireNonNull(tasks).run(PIECES);
        pieces += PIECES;
    }

    @Benchmark
    @OperationsPerInvocation(PIECES)
    public void copy() throws IOException {
        for (int i = 0; i < PIECES; i++) {
            nextCopy = (nextCopy + 1) % bare.size();
            bare.get(nextCopy).run();
        }
    }
}
