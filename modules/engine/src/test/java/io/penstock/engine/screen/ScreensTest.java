package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.task.InputWatchTest;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.Mode;
import io.penstock.terminal.ScreenState;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
final class ScreensTest extends OnScreenGround {

    @Test
    void vimIsShownAsAPersonSeesIt() throws Exception {
        Files.writeString(folder.resolve("text.txt"), "first line\nsecond line\n");
        String task = ground.spawn(12, 50, "vim", "-u", "NONE", "-i", "NONE", "text.txt");
        ScreenSnapshot opened = ground.untilText(task, "second line");
        assertNotNull(opened.screen().alternate());

        ground.type(task, "ohello \u6f22\u5b57 \ud83d\ude00\u001b");
        ScreenSnapshot typed = ground.until(
                task,
                at -> at.screen().text().contains("hello \u6f22\u5b57 \ud83d\ude00")
                        && !at.screen().text().contains("INSERT"));
        assertEquals("first line\nhello \u6f22\u5b57 \ud83d\ude00\nsecond line", text(typed, 3));

        ground.resize(task, 20, 60);
        ground.until(task, at -> at.screen().rows() == 20 && at.screen().text().split("\n").length >= 19);

        ground.type(task, ":q!\r");
        ground.frames(task);
        ScreenSnapshot ended = await(ground.screens.now(task, () -> false));
        assertEquals(null, ended.screen().alternate());
        assertFalse(ended.screen().text().contains("second line"));
        assertEquals(20, ended.screen().rows());
    }

    @Test
    void lessShowsItsPageAndRestoresTheScreen() throws Exception {
        String task = ground.spawn(10, 40, "/bin/sh", "-c", "echo before; seq 100 | less; echo after");
        ground.until(
                task,
                at -> at.screen().alternate() != null && at.screen().text().startsWith("1\n2\n"));
        ground.type(task, " ");
        ground.untilText(task, "\n18\n");
        ground.type(task, "q");
        ground.frames(task);
        assertEquals(
                "before\nafter\n",
                await(ground.screens.now(task, () -> false)).screen().text());
    }

    @Test
    void topAndTmuxAreShown() {
        String top = ground.spawn(20, 80, "top", "-d", "60");
        ground.untilText(top, "PID");
        ground.type(top, "q");

        String tmux = ground.spawn(
                12,
                60,
                "tmux",
                "-L",
                "penstock-test-" + ProcessHandle.current().pid(),
                "-f",
                "/dev/null",
                "new",
                "/bin/sh",
                "-c",
                "echo in tmux; read x");
        ScreenSnapshot inTmux = ground.untilText(tmux, "in tmux");
        assertNotNull(inTmux.screen().alternate());
        ground.type(tmux, "\r");
        ground.frames(tmux);
    }

    @Test
    void screenAfterEachFrameEqualsThatOfAnEarlyViewer() {
        String task = ground.spawn(
                8,
                30,
                "/bin/bash",
                "-c",
                "stty -echo; tput smcup; for i in $(seq 30); do"
                        + " printf '\\e[%d;3H\\e[3%dm\u6f22 e\u0301 %d' $((i % 9)) $((i % 8)) $i; sleep 0.01; done;"
                        + " read x; tput rmcup; printf 'over\\e['");
        // Frames between the output, however it is cut.
        for (int i = 0; i < 10; i++) {
            ground.resize(task, 7 + i % 2, 30);
        }
        ground.type(task, "\n");
        List<Frame> frames = ground.frames(task);
        var all = ScreenReplay.before(TerminalSpec.of(frames.getFirst()), ground.artifacts.find(task + ".pty"), -1);
        for (Frame frame : frames) {
            try {
                all.play(List.of(frame), Long.MAX_VALUE);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            assertEquals(all.now(), await(ground.screens.at(task, frame.seq(), () -> false)));
        }
        assertEquals("\u001b[", all.now().screen().pending());
        assertEquals(
                frames.getLast().seq(),
                await(ground.screens.now(task, () -> false)).seq());
    }

    @Test
    void lateScreenStartsFromThePreviousKeyframe() throws Exception {
        String task = ground.spawn(
                24,
                80,
                "/bin/bash",
                "-c",
                "seq -f $'\\e[1C%.0f' 1000000; sleep 0.3; printf '\\e[31mred\\e[?2004h'; seq 300000");
        List<Frame> frames = ground.frames(task);
        ScreenSnapshot followed = await(ground.screens.now(task, () -> false));
        assertEquals(1000, followed.screen().history().size());
        assertTrue(
                followed.screen().text().contains("300000"), followed.screen().text());
        assertTrue(followed.screen().modes().contains(Mode.BRACKETED_PASTE));
        ground.forgetScreens();

        try (var file = ground.artifacts.find(task + ".pty").sidecar()) {
            assertTrue(file.size() > 2000, "keyframes of " + file.size() + " bytes");
        }
        assertEquals(followed, await(ground.screens.now(task, () -> false)));
        // Screens in the middle, each from its keyframe, equal those computed from the first byte.
        var all = ScreenReplay.before(TerminalSpec.of(frames.getFirst()), ground.artifacts.find(task + ".pty"), -1);
        for (Frame frame : frames) {
            all.play(List.of(frame), Long.MAX_VALUE);
            if (frame.seq() % 37 == 0) {
                assertEquals(all.now(), await(ground.screens.at(task, frame.seq(), () -> false)));
            }
        }
    }

    @Test
    void keyframesAreStoredWithoutRequests() throws Exception {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 3000000; read x; echo over");
        ground.frames(
                task, frame -> frame.body() instanceof ToolTaskOutputDelta delta && delta.bytesTotal() > 25_000_000);
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        Keyframe last = null;
        while (last == null || last.offset() < 16_000_000) {
            assertTrue(System.nanoTime() < deadline, "the last keyframe is " + last);
            LockSupport.parkNanos(1_000_000);
            last = new Keyframes(ground.artifacts.find(task + ".pty")).before(Long.MAX_VALUE);
        }
        assertFalse(ground.screens.isWanted(task));
        ground.type(task, "\n");
        ground.frames(task);
    }

    @Test
    void damagedKeyframeCostsOnlyTime() throws Exception {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 700000");
        ground.frames(task);
        ScreenSnapshot whole = await(ground.screens.now(task, () -> false));
        ground.forgetScreens();
        try (var file = ground.artifacts.find(task + ".pty").sidecar()) {
            file.write(ByteBuffer.wrap("rubbish".getBytes(StandardCharsets.UTF_8)), file.size() - 20);
            file.write(ByteBuffer.wrap(new byte[] {0, 0, 1, 0, 9, 9}), file.size());
        }
        assertEquals(whole, await(ground.screens.now(task, () -> false)));
    }

    @Test
    void resizesApplyBetweenTheRightBytes() {
        String task = ground.spawn(
                6, 40, "/bin/bash", "-c", "echo " + "x".repeat(60) + "; read a; echo " + "y".repeat(60) + "; read b");
        ground.untilText(task, "xxx");
        ground.resize(task, 6, 20);
        ground.type(task, "\n");
        ground.untilText(task, "yyy");
        ground.type(task, "\n");
        List<Frame> frames = ground.frames(task);
        long resized = frames.stream()
                .filter(frame -> frame.body() instanceof ToolTaskResized)
                .findFirst()
                .orElseThrow()
                .seq();
        assertEquals(
                40,
                await(ground.screens.at(task, resized - 1, () -> false))
                        .screen()
                        .cols());
        ScreenSnapshot after = await(ground.screens.at(task, resized, () -> false));
        assertEquals(20, after.screen().cols());
        assertTrue(
                after.screen().text().startsWith("x".repeat(20) + "\n" + "x".repeat(20)),
                after.screen().text());
    }

    @Test
    void outputBeyondTheCapIsMissingAndReported() {
        String task = ground.spawn(ExecutionMode.PTY, 5, 20, 10, "/bin/sh", "-c", "printf 'abcdefghijklmnop'");
        ground.frames(task);
        ScreenSnapshot capped = await(ground.screens.now(task, () -> false));
        assertEquals("abcdefghij\n", capped.screen().text());
        assertFalse(capped.whole());
    }

    @Test
    void taskWithoutAScreenIsRefusedWithTheReason() {
        String pipes = ground.spawn(ExecutionMode.PIPES, 24, 80, 1 << 20, "/bin/true");
        List<Frame> frames = ground.frames(pipes);
        Failure none = assertThrows(Failure.class, () -> await(ground.screens.now(pipes, () -> false)));
        assertEquals(FailureCode.INVALID_REQUEST, none.code());
        assertTrue(
                String.valueOf(none.getMessage()).contains("runs in mode pipes and has no screen"),
                String.valueOf(none.getMessage()));
        assertEquals(
                FailureCode.TASK_NOT_FOUND,
                assertThrows(Failure.class, () -> await(ground.screens.now("nobody", () -> false)))
                        .code());
        String pty = ground.spawn(24, 80, "/bin/true");
        long last = ground.frames(pty).getLast().seq();
        Failure later = assertThrows(Failure.class, () -> await(ground.screens.at(pty, last + 1, () -> false)));
        assertTrue(
                String.valueOf(later.getMessage()).contains("its last is " + last), String.valueOf(later.getMessage()));
        assertTrue(frames.stream().noneMatch(frame -> frame.body() instanceof ToolTaskOutputDelta));
    }

    @Test
    void screenIsRenderedOnceForEqualRequests() {
        String task = ground.spawn(5, 20, "/bin/bash", "-c", "seq 100; read x; echo more");
        // No frame comes after this one until something is typed.
        ground.frames(task, InputWatchTest::isWaiting);
        Future<RenderedScreen> first = ground.screens.rendered(task, 50, () -> false);
        assertSame(await(first), await(ground.screens.rendered(task, 50, () -> false)));
        var shown = new Emulator(5, 20, Limits.SCREEN_HISTORY_LINES);
        shown.write("whatever it has shown before".getBytes(StandardCharsets.UTF_8));
        shown.write(await(first).bytes());
        ScreenState now = await(ground.screens.now(task, () -> false)).screen();
        assertEquals(now.withHistory(50).history(), shown.state().history());
        assertEquals(now.text(), shown.state().text());
        assertTrue(await(ground.screens.rendered(task, 10, () -> false)).bytes().length
                < await(first).bytes().length);
        ground.type(task, "\n");
        ground.frames(task);
        assertTrue(await(ground.screens.rendered(task, 50, () -> false)).seq()
                > await(first).seq());
    }

    @Test
    void keyframesAreDeletedWithTheOutput() {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 300000");
        ground.frames(task);
        await(ground.screens.now(task, () -> false));
        ground.forgetScreens();
        Path sidecar =
                Path.of(ground.artifacts.find(task + ".pty").file().toString().replace(".bytes", ".screens"));
        assertTrue(Files.exists(sidecar));
        ground.artifacts.delete(task + ".pty");
        assertFalse(Files.exists(sidecar));
        Failure gone = assertThrows(Failure.class, () -> await(ground.screens.now(task, () -> false)));
        assertEquals(FailureCode.ARTIFACT_GONE, gone.code());
    }

    private static String text(ScreenSnapshot at, int lines) {
        return String.join("\n", at.screen().text().lines().limit(lines).toList());
    }
}
