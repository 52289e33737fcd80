package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.Artifact;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.ansi.AnsiScreen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A window is resized while a program floods it, and viewers join meanwhile. */
final class ResizedFloodTest extends OnScreenGround {

    private static final int ROWS = 24;
    private static final int COLS = 80;

    @Test
    void lateJoinerStartsWithTheSizeAtItsFrame() throws Exception {
        String task = ground.spawn(
                ROWS,
                COLS,
                "/bin/sh",
                "-c",
                "seq -f '%g words, more of them than a narrow window has room for' 60000; read x");
        var joined = new ArrayList<ScreenSnapshot>();
        for (int i = 0; i < 12; i++) {
            ground.resize(task, 10 + i * 5 % 17, 30 + i * 7 % 53);
            joined.add(await(ground.screens.now(task, () -> false)));
        }
        ground.untilText(task, "60000 words");
        ground.type(task, "\r");
        List<Frame> frames = ground.frames(task);
        Artifact output = TerminalSpec.of(frames.getFirst()).artifact(ground.artifacts);
        var first = new Emulator(ROWS, COLS, Limits.SCREEN_HISTORY_LINES);
        goOn(first, frames, output);
        for (ScreenSnapshot at : joined) {
            int next = (int) at.seq() + 1;
            assertEquals(
                    sizeAfter(frames.subList(0, next)),
                    at.screen().rows() + " × " + at.screen().cols());
            var late = new Emulator(at.screen().rows(), at.screen().cols(), Limits.SCREEN_HISTORY_LINES);
            late.write(AnsiScreen.of(at.screen()));
            goOn(late, frames.subList(next, frames.size()), output);
            assertEquals(first.state(), late.state(), "joined after frame " + at.seq() + " of " + frames.size());
        }
        assertTrue(joined.getFirst().offset() < output.storedBytes(), "no viewer joined before all was written");
    }

    private static void goOn(Emulator terminal, List<Frame> frames, Artifact output) throws IOException {
        for (Frame frame : frames) {
            if (frame.body() instanceof ToolTaskOutputDelta delta) {
                terminal.write(output.read(delta.offset(), (int) (delta.bytesTotal() - delta.offset())));
            } else if (frame.body() instanceof ToolTaskResized size) {
                terminal.resize(size.rows(), size.cols());
            }
        }
    }

    private static String sizeAfter(List<Frame> frames) {
        String size = ROWS + " × " + COLS;
        for (Frame frame : frames) {
            if (frame.body() instanceof ToolTaskResized told) {
                size = told.rows() + " × " + told.cols();
            }
        }
        return size;
    }
}
