package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.frames.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Real programs that wait for typed input, each in its own way, and programs that do not. */
abstract class InputWaitContract extends SpawnerTestBed {
    private static final int LOOKS = 50;

    /** Each waits with a different call; of some pairs of processes only the second uses the terminal. */
    @Test
    void programsThatReadTheTerminalWait() throws IOException {
        Path java = folder.resolve("Reads.java");
        Files.writeString(java, "void main() throws Exception { System.in.read(); }");
        Map<String, SpawnRequest> programs = Map.ofEntries(
                Map.entry("a line", terminalShell("read x")),
                Map.entry("a hidden line", terminalShell("stty -echo; read x")),
                Map.entry("by its other name", terminalShell("exec </dev/null; read x </dev/tty")),
                Map.entry("a pipeline", terminal("/bin/bash", "-c", "cat | head -n 1")),
                Map.entry("the last of a pipeline", terminal("/bin/bash", "-c", "true | cat /dev/tty")),
                Map.entry("a child's child", terminalShell("sh -c 'sh -c \"read x; :\"; :'; :")),
                Map.entry("a shell", terminal("/bin/bash", "--norc", "-i")),
                Map.entry("select", terminal("/usr/bin/perl", "-e", SELECT + "select($r, undef, undef, undef)")),
                Map.entry("with a time", terminal("/usr/bin/perl", "-e", SELECT + "select($r, undef, undef, 1000)")),
                Map.entry(
                        "a program of the JVM",
                        terminal(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                java.toString())));
        programs.forEach((name, program) -> awaitWait(name, start(program)));
    }

    private static final String SELECT = "$r = ''; vec($r, 0, 1) = 1; ";

    /** Those that are installed on this machine. */
    @Test
    void commonProgramsWait() {
        List<List<String>> programs = List.of(
                List.of("less", "/etc/services"),
                List.of("less", "/etc/passwd"),
                List.of("vim", "-u", "NONE"),
                List.of("python3"),
                List.of("python3", "-c", "import select; p = select.poll(); p.register(0, 1); p.poll()"),
                List.of("node"),
                List.of("node", "-e", "process.stdin.on('data', () => {})"),
                List.of("htop"),
                List.of("top"));
        programs.stream()
                .filter(program -> isInstalled(program.getFirst()))
                .forEach(program -> awaitWait(program.toString(), start(terminal(program.toArray(String[]::new)))));
    }

    @Test
    void busyProgramsDoNotWait() throws IOException {
        Stream.of(
                        terminalShell("echo ready; exec sleep 1000"),
                        terminalShell("echo ready; sleep 1000; :"),
                        terminalShell("echo ready; while :; do :; done"),
                        terminalShell("mkfifo pipe; exec 3<>pipe; echo ready; read x <&3"),
                        terminal(
                                "/usr/bin/perl",
                                "-e",
                                "$| = 1; pipe(R, W); $r = ''; vec($r, fileno(R), 1) = 1; print 'ready';"
                                        + "select($r, undef, undef, undef)"),
                        // Its output fills the terminal's buffer.
                        terminalShell("stty raw; echo ready; exec cat /dev/zero"),
                        terminalShell("stty -echo; echo ready; exec sleep 1000"))
                .forEach(request -> {
                    Observed program = start(request);
                    program.awaitText(Channel.PTY, "ready");
                    program.on(RunningProcess::pause);
                    assertNeverWaits(program);
                });
    }

    @Test
    void programWithoutATerminalDoesNotWait() {
        Observed program = start(shell("echo ready; exec sleep 1000"));
        program.awaitText(Channel.STDOUT, "ready");
        assertNeverWaits(program);
    }

    @Test
    void shellWaitsAgainAfterItsCommand() {
        Observed program = start(terminal("/bin/bash", "--norc", "-i"));
        awaitWait("at first", program);
        // The foreground program prints it: before that, the shell itself would get the ^C.
        program.awaitWrite("sh -c \"echo re'ady'; exec sleep 1000\"\r");
        program.awaitText(Channel.PTY, "ready");
        Eventually.holds("it runs the command", () -> !waits(program));
        assertNeverWaits(program);
        program.awaitWrite("\u0003");
        awaitWait("after it", program);
    }

    /** The kernel stops a background job that tries to read, so the shell is the one that waits. */
    @Test
    void shellWithJobsWaits() {
        Observed program = start(terminal("/bin/bash", "--norc", "-i"));
        program.awaitWrite("for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; echo re'ady'\r");
        program.awaitText(Channel.PTY, "ready");
        awaitWait("it does", program);
        program.awaitWrite("fg %3; :\r");
        Eventually.holds("a job is in the foreground", () -> !waits(program));
    }

    @Test
    void stoppedProgramDoesNotWaitUntilContinued() {
        String selects = SELECT + "select($r, undef, undef, 1000)";
        for (SpawnRequest reading : List.of(terminal("cat"), terminal("/usr/bin/perl", "-e", selects))) {
            Observed program = start(reading);
            awaitWait("at first", program);
            assertEquals(SignalResult.DELIVERED, program.ask(() -> program.process.signal(19)));
            Eventually.holds("it is stopped", () -> !waits(program));
            program.ask(() -> program.process.signal(18));
            awaitWait("when it continues", program);
        }
    }

    @Test
    void restartedPollStillWaits() {
        if (!isInstalled("python3")) {
            return;
        }
        String polls =
                "import select; p = select.poll(); p.register(0, 1); print('ready', flush=True); p.poll(1000000)";
        Observed program = start(terminal("python3", "-c", polls));
        awaitWait("at first", program);
        assertEquals(SignalResult.DELIVERED, program.ask(() -> program.process.signal(19)));
        Eventually.holds("it is stopped", () -> !waits(program));
        program.ask(() -> program.process.signal(18));
        awaitWait("when it continues", program);
    }

    @Test
    void manyProcessesThatDoNotReadDoNotWait() {
        Observed program = start(
                terminalShell("i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done;" + " echo ready; wait"));
        program.awaitText(Channel.PTY, "ready");
        assertFalse(waits(program));
    }

    @Test
    void endedProgramDoesNotWait() {
        Observed program = start(terminalShell("read x"));
        awaitWait("at first", program);
        BooleanSupplier look = program.ask(program.process::inputWait);
        program.awaitWrite("\n");
        program.awaitExit();
        assertFalse(look.getAsBoolean());
        assertFalse(waits(program));
    }

    static boolean waits(Observed program) {
        return program.ask(program.process::inputWait).getAsBoolean();
    }

    private static void awaitWait(String how, Observed program) {
        Eventually.holds("it waits: " + how, () -> waits(program));
    }

    private static void assertNeverWaits(Observed program) {
        for (int i = 0; i < LOOKS; i++) {
            assertFalse(waits(program));
        }
    }

    private static boolean isInstalled(String program) {
        return Stream.of(ENVIRONMENT.getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
