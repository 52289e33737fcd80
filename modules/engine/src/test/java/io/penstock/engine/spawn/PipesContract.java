package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The guarantees for a program connected by pipes, whichever spawner starts it. */
abstract class PipesContract extends SpawnerTestBed {
    @Test
    void outputsStaySeparateAndWhole() {
        Observed program = start(shell("echo out; echo err >&2"));
        assertEquals("out\n", program.text(Channel.STDOUT));
        assertEquals("err\n", program.text(Channel.STDERR));
        assertEquals(0, program.awaitCode());
        assertTrue(program.endsInOrder());
    }

    @Test
    void exitCodeIsTheProgramsOwn() {
        assertEquals(new ProcessExit.Exited(7), start(shell("exit 7")).awaitExit());
        assertEquals(new ProcessExit.Exited(255), start(shell("exit 255")).awaitExit());
    }

    @Test
    void environmentIsExactlyAsRequested() {
        Map<String, String> environment = Map.of("ONE", "1", "SPACED", "a b\nc", "EMPTY", "", "WIDE", "žluťoučký");
        Observed program = start(SpawnRequest.pipes(List.of("/usr/bin/env", "-0"), environment, folder));
        var expected = new TreeSet<String>();
        environment.forEach((name, value) -> expected.add(name + "=" + value));
        assertEquals(
                expected, new TreeSet<>(List.of(program.text(Channel.STDOUT).split("\0"))));
    }

    @Test
    void argumentsArriveUnchanged() {
        Observed program = start(pipes("/usr/bin/printf", "[%s]", "a b", "", "$HOME", "\"q\"", "é"));
        assertEquals("[a b][][$HOME][\"q\"][é]", program.text(Channel.STDOUT));
    }

    @Test
    void programIsFoundInItsOwnPath() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path program = Files.writeString(bin.resolve("where-am-i"), "#!/bin/sh\npwd\n");
        assertTrue(program.toFile().setExecutable(true));
        Path cwd = Files.createDirectories(folder.resolve("d i r"));
        var request = SpawnRequest.pipes(List.of("where-am-i"), Map.of("PATH", bin + ":/bin"), cwd);
        assertEquals(cwd.toRealPath() + "\n", start(request).text(Channel.STDOUT));
        var relative = SpawnRequest.pipes(List.of("./bin/where-am-i"), ENVIRONMENT, folder);
        assertEquals(folder.toRealPath() + "\n", start(relative).text(Channel.STDOUT));
    }

    @Test
    void programWithoutInputReadsEndOfFile() {
        Observed program = start(pipes("cat"));
        assertEquals("", program.text(Channel.STDOUT));
        assertEquals(0, program.awaitCode());
        var refused = assertThrows(InputRefused.class, () -> program.awaitWrite("x"));
        assertEquals(InputRefused.Reason.NO_INPUT, refused.reason());
    }

    @Test
    void inputIsWrittenInOrderAndCanBeClosed() {
        Observed program = start(pipes("cat").withInput());
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            expected.append(i).append('\n');
            program.write(i + "\n");
        }
        program.ask(() -> program.process.closeInput());
        assertEquals(expected.toString(), program.text(Channel.STDOUT));
        var refused = assertThrows(InputRefused.class, () -> program.awaitWrite("late"));
        assertEquals(InputRefused.Reason.CLOSED, refused.reason());
    }

    @Test
    void slowReaderGetsAllInput() {
        Observed program = start(shell("while dd bs=4096 count=1 2>/dev/null | grep -q .; do :; done; echo end")
                .withInput());
        byte[] input = "x\n".repeat(Limits.STDIN_BYTES / 2).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 30; i++) {
            Observed.await(program.ask(() -> program.process.write(input))
                    .toCompletionStage()
                    .toCompletableFuture());
        }
        program.ask(() -> program.process.closeInput());
        assertEquals("end\n", program.text(Channel.STDOUT));
    }

    @Test
    void inputOfAProgramThatNeverReadsIsBounded() {
        Observed program = start(shell("echo ready; sleep 100").withInput());
        program.awaitText(Channel.STDOUT, "ready");
        String write = "x".repeat(Limits.STDIN_BYTES);
        List<Future<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            writes.add(program.write(write));
        }
        var refused = assertInstanceOf(InputRefused.class, writes.getLast().cause());
        assertEquals(InputRefused.Reason.FULL, refused.reason());
        assertTrue(refused.code().retryable());
        program.on(RunningProcess::killAll);
        program.awaitExit();
        program.on(RunningProcess::close);
        // Each write completes, successfully or not; with a writing thread, a moment later. A hanging one fails here.
        Observed.await(Future.join(writes)
                .transform(answered -> Future.succeededFuture())
                .toCompletionStage()
                .toCompletableFuture());
    }

    @Test
    void writeToAClosedInputIsRefused() {
        Observed program = start(shell("exec 0<&-; echo closed; sleep 100").withInput());
        program.awaitText(Channel.STDOUT, "closed");
        var refused = assertThrows(InputRefused.class, () -> program.awaitWrite("x"));
        assertEquals(InputRefused.Reason.CLOSED, refused.reason());
    }

    @Test
    void everyByteSurvives() throws IOException {
        byte[] bytes = new byte[300_000];
        ThreadLocalRandom.current().nextBytes(bytes);
        for (int i = 0; i < 256; i++) {
            bytes[i] = (byte) i;
        }
        Path file = Files.write(folder.resolve("bytes"), bytes);
        assertArrayEquals(bytes, start(pipes("cat", file.toString())).all(Channel.STDOUT));
    }

    @Test
    void aThousandFastExitsLoseNothing() {
        List<Observed> programs = new ArrayList<>();
        for (int i = 0; i < fastExits(); i++) {
            programs.add(start(pipes("/usr/bin/seq", "1", "20")));
            if (programs.size() == 50 || i == fastExits() - 1) {
                for (Observed program : programs) {
                    assertEquals(SEQ_20, program.text(Channel.STDOUT));
                    assertEquals("", program.text(Channel.STDERR));
                    program.finish();
                }
                started.removeAll(programs);
                programs.clear();
            }
        }
    }

    @Test
    void outputIsWholeAfterPauseAndResume() {
        Observed program =
                start(shell("i=0; while [ $i -lt 400 ]; do head -c 10000 /dev/zero; i=$((i+1)); done; echo done >&2"));
        program.on(RunningProcess::pause);
        program.ask(() -> true);
        int before = program.soFar(Channel.STDOUT).length;
        program.on(it -> {});
        assertEquals(before, program.soFar(Channel.STDOUT).length);
        assertFalse(program.exit.isDone(), "4 MB do not fit into a pipe, so the program must be blocked");
        program.on(RunningProcess::resume);
        assertEquals(4_000_000, program.all(Channel.STDOUT).length);
        assertEquals("done\n", program.text(Channel.STDERR));
    }

    @Test
    void drainNowDeliversAvailableOutputWhilePaused() throws IOException {
        Path mark = folder.resolve("written");
        Observed program =
                start(shell("read x; echo before; : > " + mark + "; sleep 100").withInput());
        program.on(RunningProcess::pause);
        program.awaitWrite("go\n");
        Eventually.exists(mark);
        assertEquals("", new String(program.soFar(Channel.STDOUT), StandardCharsets.UTF_8));
        program.on(RunningProcess::drainNow);
        assertEquals("before\n", new String(program.soFar(Channel.STDOUT), StandardCharsets.UTF_8));
    }

    @Test
    void programMayCloseItsOutputAndLiveOn() {
        Observed program =
                start(shell("echo bye; exec 1>&-; read x; echo still here >&2").withInput());
        assertEquals("bye\n", program.text(Channel.STDOUT));
        assertFalse(program.exit.isDone());
        program.awaitWrite("\n");
        assertEquals("still here\n", program.text(Channel.STDERR));
        assertEquals(0, program.awaitCode());
    }

    @Test
    void outputOfAGrandchildIsReadAfterTheProgramsExit() throws IOException {
        Path go = folder.resolve("go");
        Observed program = start(
                shell("(while [ -d " + folder + " -a ! -e " + go + " ]; do sleep 0.01; done; echo late) & echo early"));
        assertEquals(0, program.awaitCode());
        program.awaitText(Channel.STDOUT, "early\n");
        assertFalse(program.closedFuture(Channel.STDOUT).isDone(), "it is held open");
        Files.createFile(go);
        assertEquals("early\nlate\n", program.text(Channel.STDOUT));
        assertTrue(program.endsInOrder());
    }

    @Test
    void closedProcessReportsOnlyItsExit() {
        Observed program = start(
                shell("trap '' PIPE; echo ready; read x; echo more; exit 3").withInput());
        program.awaitText(Channel.STDOUT, "ready");
        program.on(RunningProcess::close);
        program.on(RunningProcess::close);
        assertInstanceOf(ProcessExit.Exited.class, program.awaitExit());
        assertFalse(program.closedFuture(Channel.STDOUT).isDone());
    }

    static final String SEQ_20 = seq(20);

    static String seq(int last) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= last; i++) {
            lines.append(i).append('\n');
        }
        return lines.toString();
    }

    int fastExits() {
        return 1000;
    }
}
