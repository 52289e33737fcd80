package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Output of few bytes that touches billions of cells. */
final class HostileScreensTest extends OnScreenGround {

    private static final String SEQUENCE = "\u001b[41m\u001b#8\u001b[2J";

    /** A turn may end within a sequence that costs a few screens. */
    private static final long LAST_SEQUENCE_CELLS = 10L * Limits.SCREEN_CELLS;

    private String hostile() throws IOException {
        Files.writeString(folder.resolve("hostile"), SEQUENCE.repeat(20_000) + "over");
        String task = ground.spawn(1000, 1000, "/bin/cat", "hostile");
        ground.frames(task);
        return task;
    }

    @Test
    void screenDoesNotWaitForAnExpensiveOne() throws Exception {
        String hostile = hostile();
        String usual = ground.spawn(24, 80, "/bin/sh", "-c", "echo usual");
        ground.frames(usual);
        ground.forgetScreens();
        var left = new AtomicBoolean();
        long last = ground.frames(hostile).getLast().seq();
        List<Future<ScreenSnapshot>> asked = List.of(
                ground.screens.now(hostile, left::get),
                ground.screens.now(hostile, left::get),
                ground.screens.at(hostile, last, left::get));
        ScreenSnapshot shown = await(ground.screens.now(usual, () -> false));
        assertEquals("usual\n", shown.screen().text());
        assertFalse(asked.getFirst().isComplete());

        left.set(true);
        for (Future<ScreenSnapshot> each : asked) {
            assertThrows(ScreenAbandoned.class, () -> await(each));
        }
    }

    @Test
    void stopDoesNotWaitForAnExpensiveScreen() throws Exception {
        String hostile = hostile();
        ground.forgetScreens();
        Future<ScreenSnapshot> asked = ground.screens.now(hostile, () -> false);
        ground.forgetScreens();
        assertThrows(ScreenAbandoned.class, () -> await(asked));
    }

    @Test
    void turnTouchesABoundedNumberOfCells() throws Exception {
        Files.writeString(folder.resolve("hostile"), SEQUENCE.repeat(300) + "\u001b[Hover");
        String task = ground.spawn(1000, 1000, "/bin/cat", "hostile");
        List<Frame> frames = ground.frames(task);
        var tape = ScreenReplay.before(TerminalSpec.of(frames.getFirst()), ground.artifacts.find(task + ".pty"), -1);
        int played = 0;
        int turns = 0;
        while (played < frames.size() || tape.isBehind()) {
            long before = tape.work();
            played += tape.play(frames.subList(played, frames.size()), Long.MAX_VALUE);
            long cells = tape.work() - before;
            assertTrue(cells <= Limits.SCREEN_TURN_CELLS + LAST_SEQUENCE_CELLS, cells + " cells in a turn");
            turns++;
        }
        assertTrue(turns > 20, turns + " turns");
        assertEquals(tape.now(), await(ground.screens.now(task, () -> false)));
        assertTrue(tape.now().screen().text().startsWith("over"));
    }
}
