package io.penstock.bench;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

/** One append on one thread: the goal is 0.3 µs for 60 bytes without allocation. Run with {@code -prof gc}. */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx512m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
public class JournalAppendBench {
    /** Everything older is released, as a drain would do, so that the disk holds only a few segments. */
    private static final long KEPT_BYTES = 64L << 20;

    @Param({"60", "200"})
    public int bytes;

    @Param({"never", "interval"})
    public String fsync = "never";

    private byte[] payload = new byte[0];
    private Path directory = Path.of(".");
    private @Nullable Journal journal;
    private long releaseAt;
    private long heldBack;

    @Setup(Level.Trial)
    public void open() throws IOException {
        payload = new byte[bytes];
        directory = Files.createTempDirectory("journal-bench");
        journal = open(directory, fsync);
        releaseAt = KEPT_BYTES;
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        System.out.println("held back " + heldBack + " times");
        Objects.requireNonNull(journal).close();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    @Benchmark
    public long append() {
        Journal journal = Objects.requireNonNull(this.journal);
        long position = journal.append(payload, 0, payload.length);
        while (position < 0) {
            // The disk is slower than this loop: a real caller would queue, this one waits and counts.
            heldBack++;
            Thread.onSpinWait();
            position = journal.append(payload, 0, payload.length);
        }
        if (position >= releaseAt) {
            journal.release(position - KEPT_BYTES / 2);
            releaseAt = position + KEPT_BYTES / 2;
        }
        return position;
    }

    private static Journal open(Path directory, String fsync) {
        JournalSettings settings = JournalSettings.of(directory, UUID.randomUUID());
        return Journal.open(
                fsync.equals("never") ? settings : settings.withFsync(new Fsync.Interval(Duration.ofMillis(10))), 0);
    }
}
