package io.penstock.bench;

import io.penstock.frames.Actor;
import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.FrameJson;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.StoredForm;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One frame: written and read in its stored form and in JSON, and folded. Run with {@code -prof gc}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FramesBench {

    private static final StreamId STREAM = StreamId.task("01JCZ5Q2W8R7");
    private static final LogRef STDOUT = new LogRef(Channel.STDOUT, "a-1", "2026-11-18/a-1");
    private static final LogRef STDERR = new LogRef(Channel.STDERR, "a-2", "2026-11-18/a-2");

    /** A delta as recorded, one with its text as viewers get it, the end of a run, and a spawn. */
    public enum Kind {
        DELTA,
        DELTA_WITH_TEXT,
        STATUS,
        SPAWNED
    }

    @Param
    public Kind kind = Kind.DELTA;

    private Frame frame = new Frame(STREAM, 0, 0, spawned());
    private TaskState before = TaskState.ABSENT;
    private byte[] stored = {};
    private String json = "";
    private final ByteWriter writer = new ByteWriter();

    @Setup
    public void choose() {
        FrameBody body = switch (kind) {
            case DELTA -> delta();
            case DELTA_WITH_TEXT -> delta().with(new DeltaText("a line of output as programs write it\n", STDOUT));
            case STATUS -> ended();
            case SPAWNED -> spawned();
        };
        before = switch (kind) {
            case SPAWNED -> TaskState.ABSENT;
            case DELTA, DELTA_WITH_TEXT, STATUS ->
                TaskState.fold(List.of(
                        new Frame(STREAM, 0, 1_763_461_000_000L, spawned()),
                        new Frame(STREAM, 1, 1_763_461_000_001L, ToolTaskStatus.running(1_763_461_000_001L))));
        };
        frame = new Frame(STREAM, before.nextSeq(), 1_763_461_000_002L, body);
        StoredForm.write(body, writer);
        stored = writer.toByteArray();
        json = FrameJson.toText(frame);
    }

    @Benchmark
    public int storedWrite() {
        writer.clear();
        StoredForm.write(frame.body(), writer);
        return writer.length();
    }

    @Benchmark
    public FrameBody storedRead() {
        return StoredForm.read(frame.body().type(), new ByteReader(stored));
    }

    @Benchmark
    public byte[] jsonWrite() {
        return FrameJson.toBytes(frame);
    }

    @Benchmark
    public Frame jsonRead() {
        return FrameJson.parse(json);
    }

    @Benchmark
    public TaskState fold() {
        return before.after(frame);
    }

    private static ToolTaskSpawned spawned() {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"make -j2 test\",\"cwd\":\"services/api\"}"),
                "services/api",
                "tests of the api",
                ExecutionMode.PIPES,
                "cli",
                List.of(STDOUT, STDERR),
                16L * 1024 * 1024,
                512L * 1024,
                Actor.user("alice"));
    }

    private static ToolTaskOutputDelta delta() {
        return new ToolTaskOutputDelta(Channel.STDOUT, 0, 38, 38);
    }

    private static ToolTaskStatus ended() {
        return new ToolTaskStatus(
                Phase.ENDED,
                Ending.exit(0),
                1_763_461_000_001L,
                1_763_461_000_900L,
                List.of(new LogEnd(STDOUT, 0, 0, null), new LogEnd(STDERR, 0, 0, null)),
                null,
                null,
                Cause.EXIT,
                Actor.REAPER);
    }
}
