package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.engine.pump.Wanted.program;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stored output is exactly what programs write: every byte, in order, however they write and end. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class OutputTruthTest {

    private static final int AT_ONCE = 16;
    private static final int FAST_EXITS = 2_000;

    @TempDir
    Path folder;

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(folder));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void nothingIsLostOfTwoThousandFastExitsUnderLoad(ExecutionMode mode) {
        List<String> load = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            load.add(engine.spawn(bash("while :; do :; done", ExecutionMode.PIPES)));
        }
        var running = new ArrayDeque<String>();
        for (int i = 0; i < FAST_EXITS + AT_ONCE; i++) {
            if (i >= AT_ONCE) {
                checkFastExit(running.removeFirst(), i - AT_ONCE, mode);
            }
            if (i < FAST_EXITS) {
                running.addLast(engine.spawn(program(mode, "/usr/bin/printf", "%s|", "begin", text(i), "end")));
            }
        }
        load.forEach(task -> await(engine.tasks.apply(new TaskCommand.Cancel(task, null, Actor.user("tester")))));
    }

    private void checkFastExit(String task, int number, ExecutionMode mode) {
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        String expected = "begin|" + text(number) + "|end|";
        Channel channel = mode.channels().getFirst();
        assertEquals(Ending.exit(0), state.run().ending(), () -> "task " + number + ": " + frames);
        assertEquals(expected.length(), state.output().total(channel), () -> "task " + number + ": " + frames);
        assertEquals(expected, new String(engine.stored(task, channel), StandardCharsets.US_ASCII));
    }

    /** Up to twice a terminal's buffer. */
    private static String text(int number) {
        return Integer.toString(number).repeat(1 + number * 37 % 2_000);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void programThatClosesItsOutputRunsUntilItExits(ExecutionMode mode) throws Exception {
        Path fifo = folder.resolve("go");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        String task = engine.spawn(bash(
                "trap '' HUP; exec 3<>go; printf last; exec </dev/null >/dev/null 2>&1; read -n1 x <&3; exit 7", mode));
        engine.until(
                task,
                frame -> frame.body() instanceof ToolTaskOutputDelta delta && delta.offset() + delta.bytes() >= 4);
        assertEquals(Phase.RUNNING, engine.state(task).phase());
        Files.writeString(fifo, "x");
        List<Frame> frames = engine.ended(task);
        assertEquals(Ending.exit(7), TaskState.fold(frames).run().ending());
        assertEquals("last", new String(engine.stored(task, mode.channels().getFirst()), StandardCharsets.US_ASCII));
    }

    @Test
    void floodBeyondCapIsCountedInConstantMemory() {
        long bytes = 1L << 30;
        long before = usedHeap();
        String task =
                engine.spawn(program(ExecutionMode.PIPES, "/usr/bin/head", "-c", Long.toString(bytes), "/dev/zero"));
        List<Frame> frames = engine.ended(task);
        long deltas = frames.stream()
                .filter(f -> f.body() instanceof ToolTaskOutputDelta)
                .count();
        TaskState state = TaskState.fold(frames);
        assertEquals(bytes, state.output().stdoutTotal());
        assertEquals(16L << 20, state.output().stdoutStored());
        assertEquals(Ending.exit(0), state.run().ending());
        // The log of this test keeps its frames in memory, about a hundred bytes each, and the test a list of them.
        long allowed = (8L << 20) + deltas * 400;
        long grown = usedHeap() - before;
        assertTrue(grown < allowed, () -> "the heap has grown by " + grown + " bytes with " + deltas + " deltas");
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void binaryOutputIsIntact() throws Exception {
        byte[] bytes = new byte[3 << 20];
        new Random(42).nextBytes(bytes);
        Files.write(folder.resolve("binary"), bytes);
        String task = engine.spawn(bash("cat binary; cat binary >&2", ExecutionMode.PIPES));
        // Also in the form for display, which is longer as text.
        List<Frame> frames = engine.toTheEnd(task);
        assertArrayEquals(bytes, engine.stored(task, Channel.STDOUT));
        assertArrayEquals(bytes, engine.stored(task, Channel.STDERR));
        String digest = "sha256:"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        assertEquals(
                List.of(digest, digest),
                frames.stream()
                        .map(Frame::body)
                        .filter(body -> body instanceof ArtifactWritten)
                        .map(body -> ((ArtifactWritten) body).digest())
                        .toList());
    }

    @Test
    void emptyOutputIsReadableAndTakesNoFile() throws Exception {
        String task = engine.spawn(program(ExecutionMode.PIPES, "/bin/true"));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(engine.ended(task)).outcome());
        assertEquals(
                "",
                await(engine.tasks.output(task, Channel.STDERR, 0, 100)).text().text());
        RecordedBytes none = await(engine.tasks.bytes(task, Channel.STDERR));
        assertEquals(0, none.length());
        assertEquals(
                none.digest(), await(engine.tasks.artifact(task + ".stdout")).digest(), "it grows for ever");
        try (Stream<Path> files = Files.walk(folder.resolve("artifacts"))) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.getFileName().toString().startsWith(task + "."))
                            .toList());
        }
    }
}
