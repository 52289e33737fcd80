package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The guarantees for a program on a terminal, whichever spawner starts it. */
abstract class TerminalContract extends SpawnerTestBed {
    @Test
    void terminalIsStdioAndControlling() {
        Observed program = start(terminalShell("[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo yes > /dev/tty"));
        assertEquals("yes\r\n", program.text(Channel.PTY));
        assertEquals(0, program.awaitCode());
        assertTrue(program.endsInOrder());
    }

    @Test
    void sizeIsSetBeforeTheFirstInstruction() {
        Observed program = start(terminal("stty", "size"));
        assertEquals("30 100\r\n", program.text(Channel.PTY));
    }

    @Test
    void resizeIsSignalled() {
        Observed program =
                start(terminalShell("trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done"));
        program.awaitText(Channel.PTY, "ready");
        program.on(it -> it.resize(new TerminalSize(50, 132)));
        program.awaitText(Channel.PTY, "50 132");
        assertEquals(0, program.awaitCode());
    }

    @Test
    void sizeCanBeRead() {
        Observed program = start(terminalShell("read x"));
        assertEquals(new TerminalSize(30, 100), program.ask(program.process::size));
        program.on(it -> it.resize(new TerminalSize(1, 4096)));
        assertEquals(new TerminalSize(1, 4096), program.ask(program.process::size));
    }

    @Test
    void controlCInterrupts() {
        Observed program =
                start(terminalShell("trap 'echo interrupted; exit 9' INT; echo ready; while :; do sleep 0.05; done"));
        program.awaitText(Channel.PTY, "ready");
        program.awaitWrite("\u0003");
        program.awaitText(Channel.PTY, "interrupted");
        assertEquals(9, program.awaitCode());
    }

    @Test
    void controlDEndsTheInput() {
        Observed program = start(terminal("cat"));
        program.awaitWrite("line\n");
        program.awaitText(Channel.PTY, "line\r\nline\r\n");
        program.awaitWrite("\u0004");
        assertEquals(0, program.awaitCode());
    }

    @Test
    void aThousandFastExitsLoseNothing() {
        String expected = PipesContract.SEQ_20.replace("\n", "\r\n");
        List<Observed> programs = new ArrayList<>();
        for (int i = 0; i < fastExits(); i++) {
            programs.add(start(terminal("/usr/bin/seq", "1", "20")));
            if (programs.size() == 50 || i == fastExits() - 1) {
                for (Observed program : programs) {
                    assertEquals(expected, program.text(Channel.PTY));
                    program.finish();
                }
                started.removeAll(programs);
                programs.clear();
            }
        }
    }

    @Test
    void longOutputIsWhole() {
        Observed program = start(terminal("/usr/bin/seq", "1", "200000"));
        assertEquals(PipesContract.seq(200_000).replace("\n", "\r\n"), program.text(Channel.PTY));
        assertEquals(0, program.awaitCode());
    }

    @Test
    void pausedProgramIsBlocked() {
        Observed program = start(terminalShell("read x; seq 1 200000"));
        program.on(RunningProcess::pause);
        program.awaitWrite("\n");
        program.ask(() -> true);
        assertFalse(program.exit.isDone());
        program.on(RunningProcess::resume);
        assertTrue(program.text(Channel.PTY).endsWith("200000\r\n"));
    }

    @Test
    void everyKeyIsEchoedAsItself() {
        Observed program = start(terminalShell("stty raw -echo; echo ready; exec cat"));
        program.awaitText(Channel.PTY, "ready\n");
        int before = program.soFar(Channel.PTY).length;
        byte[] expected = new byte[3000];
        for (int i = 0; i < expected.length; i++) {
            byte key = (byte) (i * 31);
            expected[i] = key;
            program.ask(() -> program.process.write(new byte[] {key}));
        }
        Eventually.holds("all keys came back", () -> program.soFar(Channel.PTY).length >= before + expected.length);
        byte[] all = program.soFar(Channel.PTY);
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], all[before + i], "key " + i);
        }
    }

    @Test
    void echoIsDetected() throws IOException {
        Observed program = start(terminalShell("echo on; read x; until [ -e hide ]; do sleep 0.01; done; stty -echo;"
                + " echo off; read x; until [ -e show ]; do sleep 0.01; done; stty echo; echo on again; read x"));
        program.awaitText(Channel.PTY, "on\r\n");
        assertTrue(program.awaitWrite("\n"));
        Files.createFile(folder.resolve("hide"));
        program.awaitText(Channel.PTY, "off\r\n");
        assertFalse(program.awaitWrite("secret\n"));
        Files.createFile(folder.resolve("show"));
        String said = program.awaitText(Channel.PTY, "on again");
        assertTrue(program.awaitWrite("\n"));
        assertFalse(said.contains("secret"), said);
    }

    @Test
    void inputToALineEditorCountsAsEchoed() throws IOException {
        Observed program = start(terminalShell("stty raw -echo; echo raw; until [ -e go ]; do sleep 0.01; done;"
                + " head -c 1; stty sane -echo; echo password; read x; stty echo; echo line; read x"));
        program.awaitText(Channel.PTY, "raw");
        // The settings count until the terminal has taken the input, so the program must not change them before that.
        assertTrue(program.awaitWrite("x"));
        Files.createFile(folder.resolve("go"));
        program.awaitText(Channel.PTY, "password");
        assertFalse(program.awaitWrite("secret\n"));
        program.awaitText(Channel.PTY, "line");
        assertTrue(program.awaitWrite("\n"));
    }

    /** The input is typed while echo is on and the program does not read, and reaches the terminal after echo was turned off. */
    @Test
    void echoIsCheckedWhenTheTerminalAcceptsTheInput() throws IOException {
        Observed program = start(terminalShell("echo on; until [ -e go ]; do sleep 0.01; done; stty -echo;"
                + " while read x; do case $x in secret) break;; esac; done; echo got it; read x"));
        program.awaitText(Channel.PTY, "on\r\n");
        var earlier = new ArrayList<Future<Boolean>>();
        for (int i = 0; i < 14; i++) {
            earlier.add(program.write("f\n".repeat(2000)));
        }
        Future<Boolean> secret = program.write("secret\n");
        // The first input fits into the terminal, so it is there before echo is turned off.
        assertTrue(Observed.await(earlier.getFirst().toCompletionStage().toCompletableFuture()));
        assertFalse(secret.isComplete());
        Files.createFile(folder.resolve("go"));
        assertFalse(Observed.await(secret.toCompletionStage().toCompletableFuture()));
    }

    int fastExits() {
        return 1000;
    }
}
