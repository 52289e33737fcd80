package io.penstock.bench;

import io.penstock.engine.watch.OutputWatcher;
import io.penstock.engine.watch.WatchHit;
import io.penstock.engine.watch.WatchPlan;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of watchers for a KiB of output. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@NullUnmarked // JMH initializes the fields.
public class WatchBench {

    private static final int KIBS = 1024;
    private static final int PIECE = 8 * 1024;

    @Param({"0", "1", "16"})
    private int watchers;

    /** Patterns with a word, patterns without one, both of which match nothing, and a pattern that matches in each line. */
    @Param({"words", "wordless", "matching"})
    private String patterns;

    private byte[] bytes;
    private OutputWatcher watcher;
    private long offset;

    @Setup
    public void setUp() {
        var text = new StringBuilder();
        for (int i = 0; text.length() < KIBS * 1024; i++) {
            text.append("2026-11-20T12:00:")
                    .append(10 + i % 50)
                    .append(" INFO [worker-")
                    .append(i % 8)
                    .append("] GET /api/item/")
                    .append(i * 31L % 9973)
                    .append(" 200 in ")
                    .append(i % 97)
                    .append(" ms\r\n");
        }
        bytes = text.substring(0, KIBS * 1024).getBytes(StandardCharsets.UTF_8);
        watcher = new OutputWatcher(WatchPlan.of(IntStream.range(0, watchers)
                .mapToObj(i -> new WatchSpec(pattern(i), "found"))
                .toList()));
    }

    private String pattern(int i) {
        return switch (patterns) {
            case "words" -> "(?i)(error|failed): .*step " + i;
            case "wordless" -> "^\\d+\\.[a-f]+\\s+[" + (char) ('a' + i) + "-z]{3}";
            default -> "item/\\d*" + Integer.toHexString(i).charAt(0) + "\\b";
        };
    }

    /** Output in pieces of a busy terminal's size; one line in about a hundred is cut. */
    @Benchmark
    @OperationsPerInvocation(KIBS)
    public List<WatchHit> kibibyte() {
        List<WatchHit> hits = List.of();
        for (int at = 0; at < bytes.length; at += PIECE) {
            hits = watcher.feed(Channel.PTY, offset, bytes, at, at + PIECE);
            offset += PIECE;
        }
        return hits;
    }
}
