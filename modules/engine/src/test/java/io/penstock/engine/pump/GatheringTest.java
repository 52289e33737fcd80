package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program that writes little and often makes few frames, and none of its output is lost or late. */
@ExtendWith(VertxExtension.class)
class GatheringTest {

    private static final int LINES = 20_000;

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
    }

    @AfterEach
    void close() {
        engine.stop();
    }

    @ParameterizedTest
    @EnumSource
    void manySmallWritesBecomeFewFrames(ExecutionMode mode) {
        String task = engine.spawn(bash("for ((i = 0; i < " + LINES + "; i++)); do echo $i; done", mode));
        List<Frame> frames = engine.ended(task);
        long deltas = frames.stream()
                .filter(frame -> frame.body() instanceof ToolTaskOutputDelta)
                .count();
        assertTrue(deltas < LINES / 4, deltas + " frames of " + LINES + " writes");
        boolean terminal = mode == ExecutionMode.PTY;
        String expected = IntStream.range(0, LINES)
                .mapToObj(i -> i + (terminal ? "\r\n" : "\n"))
                .collect(Collectors.joining());
        assertEquals(
                expected,
                new String(engine.stored(task, terminal ? Channel.PTY : Channel.STDOUT), StandardCharsets.UTF_8));
    }

    /** The last output before a program waits is recorded, even right after other output. */
    @Test
    void lastOutputIsRecordedWithoutFurtherEvents() {
        String task = engine.spawn(bash("printf 'one '; printf 'two '; printf three; sleep 60", ExecutionMode.PTY));
        var seen = new StringBuilder();
        engine.until(task, frame -> {
            if (frame.body() instanceof ToolTaskOutputDelta delta && delta.text() != null) {
                seen.append(delta.text().chunk());
            }
            return seen.toString().endsWith("three");
        });
        assertEquals("one two three", seen.toString());
    }
}
