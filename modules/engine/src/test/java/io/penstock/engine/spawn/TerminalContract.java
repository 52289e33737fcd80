package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a program on a terminal may count on, whoever starts it. */
abstract class TerminalContract extends SpawnerTestBed {
    @Test
    void allThreeAreTheTerminalAndItIsTheControllingOne() {
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
    void resizeIsSignalledAndSeen() {
        Observed program =
                start(terminalShell("trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done"));
        program.awaitText(Channel.PTY, "ready");
        program.on(it -> it.resize(new TerminalSize(50, 132)));
        program.awaitText(Channel.PTY, "50 132");
        assertEquals(0, program.awaitCode());
    }

    @Test
    void sizeCanBeAsked() {
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
    void controlDIsTheEndOfInput() {
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

    int fastExits() {
        return 1000;
    }
}
