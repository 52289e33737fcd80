package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Containment;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Processes that a program started are found and killed, as far as the spawner's containment reaches. */
abstract class ContainmentContract extends SpawnerTestBed {
    @Test
    void deathBySignalIsReported() {
        Observed program = start(shell("kill -SEGV $$"));
        assertEquals(new ProcessExit.Killed(11), program.awaitExit());
    }

    @Test
    void signalReachesTheWholeGroup() {
        Observed program = start(shell("(trap 'echo child; exit' TERM; echo 1; while :; do sleep 0.02; done) &"
                + " trap 'wait; echo parent; exit 5' TERM; echo 2; while :; do sleep 0.02; done"));
        program.awaitText(Channel.STDOUT, "1");
        program.awaitText(Channel.STDOUT, "2");
        assertEquals(SignalResult.DELIVERED, program.ask(() -> program.process.signal(15)));
        assertEquals(5, program.awaitCode());
        assertEquals(
                Set.of("1", "2", "child", "parent"),
                Set.of(program.text(Channel.STDOUT).split("\n")));
    }

    @Test
    void signalAfterTheEndFindsNoProcess() {
        Observed program = start(shell("exit 0"));
        program.awaitExit();
        assertEquals(SignalResult.NO_PROCESS, program.ask(() -> program.process.signal(15)));
    }

    @Test
    void programsStartWithDefaultSignals() {
        Observed program = start(shell("grep -E '^Sig(Blk|Ign):' /proc/self/status"));
        for (String line : program.text(Channel.STDOUT).split("\n")) {
            long signals = Long.parseLong(line.split("\t")[1], 16);
            // 32 and 33 are glibc's own: its posix_spawn leaves them ignored.
            assertEquals(0, signals & ~0x180000000L, line);
        }
    }

    @Test
    void programInheritsNoDescriptor() {
        Observed program = start(pipes("ls", "/proc/self/fd"));
        // 3 is the folder that ls itself reads.
        assertEquals("0\n1\n2\n3\n", program.text(Channel.STDOUT));
    }

    @Test
    void killAllKillsTheWholeGroup() {
        Observed program = start(
                shell("trap '' TERM INT HUP; for i in 1 2 3; do (trap '' TERM; sleep 100) & done; echo up; wait"));
        program.awaitText(Channel.STDOUT, "up");
        Eventually.holds("three live", () -> program.process.survivors().size() >= 3);
        program.process.killAll();
        assertEquals(new ProcessExit.Killed(9), program.awaitExit());
        program.text(Channel.STDOUT); // only after all processes that held it open have ended
        Eventually.holds("none is left", () -> program.process.survivors().isEmpty());
    }

    @Test
    void survivorsOfTheProgramAreNamed() {
        Observed program = start(shell("sleep 100 >/dev/null 2>&1 & sleep 101 >/dev/null 2>&1 & exit 0"));
        assertEquals(0, program.awaitCode());
        Eventually.holds("both are sleep", () -> names(program).equals(List.of("sleep", "sleep")));
        program.process.killAll();
        Eventually.holds("none is left", () -> program.process.survivors().isEmpty());
    }

    @Test
    void daemonIsFoundByItsCgroupOrItsMark() throws Exception {
        Observed program =
                start(marked("t-1", shell("(setsid sh -c 'echo $$; sleep 100 2>/dev/null 1>&2' &) ; exit 0")));
        Observed stranger =
                start(marked("t-2", shell("(setsid sh -c 'echo $$; exec sleep 100 2>/dev/null 1>&2' &) ; exit 0")));
        assertEquals(0, program.awaitCode());
        assertEquals(0, stranger.awaitCode());
        ProcessHandle daemon = daemonOf(program);
        ProcessHandle other = daemonOf(stranger);
        boolean found = program.process.containment() == Containment.CGROUP
                || program.process.containment() == Containment.ADOPTION;
        assertFalse(program.process.leavesNoProcess());
        if (found) {
            Eventually.holds(
                    "the daemon and its child",
                    () -> names(program).stream().sorted().toList().equals(List.of("sh", "sleep")));
        } else {
            assertEquals(List.of(), names(program));
        }
        program.process.killAll();
        if (found) {
            assertEquals(List.of(), names(program));
            daemon.onExit().get(20, java.util.concurrent.TimeUnit.SECONDS);
        } else {
            assertTrue(daemon.isAlive(), "an uncontained process is left alone");
        }
        assertTrue(other.isAlive(), "it is another task's");
        List.of(daemon, other).forEach(left -> {
            left.descendants().forEach(ProcessHandle::destroyForcibly);
            left.destroyForcibly();
        });
    }

    private static ProcessHandle daemonOf(Observed program) {
        return ProcessHandle.of(
                        Long.parseLong(program.awaitText(Channel.STDOUT, "\n").strip()))
                .orElseThrow();
    }

    private static SpawnRequest marked(String task, SpawnRequest request) {
        var environment = new HashMap<>(request.environment());
        environment.put(SpawnRequest.MARK, task);
        return new SpawnRequest(
                request.command(), environment, request.cwd(), request.mode(), request.input(), request.size());
    }

    @Test
    void identityNamesTheProcess() {
        Observed program = start(shell("echo $$; read x").withInput());
        String said = program.awaitText(Channel.STDOUT, "\n").strip();
        ProcessIdentity identity = program.process.identity();
        assertEquals(said, Long.toString(identity.pid()));
        assertEquals(identity, ProcessIdentity.parse(identity.toString()));
    }

    private static List<String> names(Observed program) {
        return program.process.survivors().stream().map(Survivor::name).collect(Collectors.toList());
    }
}
