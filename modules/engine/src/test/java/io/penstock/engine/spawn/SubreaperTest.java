package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Adopted orphans are reaped; children that other code waits for are not. */
class SubreaperTest extends SpawnerTestBed {

    private static final Spawner SPAWNER = new NativeSpawner(Optional.empty());

    @Override
    Spawner spawner() {
        return SPAWNER;
    }

    @Test
    void endedOrphansAreReaped() throws IOException {
        List<Observed> programs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            programs.add(start(shell("(setsid sh -c 'exit 3' >/dev/null 2>&1 &); (true &); exit 0")));
        }
        for (Observed program : programs) {
            assertEquals(0, program.awaitCode());
        }
        Eventually.holds("all are reaped", () -> zombies().isEmpty());
    }

    @Test
    void statusOfAForeignChildIsLeftToItsParent() throws Exception {
        for (int i = 0; i < 50; i++) {
            // Started by a thread that ends, so that the kernel moves it to the thread that has the orphans.
            var started = new ArrayList<Process>();
            var starter = new Thread(() -> started.add(exitOf7()));
            starter.start();
            starter.join();
            Observed program = start(shell("exit 0"));
            assertEquals(0, program.awaitCode());
            assertTrue(program.process.survivors().isEmpty());
            assertEquals(7, started.getFirst().waitFor());
        }
    }

    /** Other tests leave programs that outlive them by half a minute. */
    @BeforeEach
    void killLeftovers() {
        ProcessHandle.current().children().filter(SubreaperTest::isATasks).forEach(left -> {
            left.descendants().forEach(ProcessHandle::destroyForcibly);
            left.destroyForcibly();
        });
    }

    private static boolean isATasks(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1)
                    .contains(SpawnRequest.MARK + "=");
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    @Test
    void programWhoseStarterThreadEndedIsNoOrphan() throws Exception {
        var started = new ArrayList<Observed>();
        var context = vertx.getOrCreateContext();
        var starter =
                new Thread(() -> started.add(start(shell("read line; exit 8").withInput(), context)));
        starter.start();
        starter.join();
        Observed other = start(shell("exit 0"));
        assertEquals(0, other.awaitCode());
        // An orphan of another test may exist for a moment, but this program would be one for as long as it lives.
        Eventually.holds("no process is left", other.process::leavesNoProcess);
        Observed program = started.getFirst();
        program.ask(() -> program.process.closeInput());
        assertEquals(8, program.awaitCode());
    }

    private static Process exitOf7() {
        try {
            return new ProcessBuilder("/bin/sh", "-c", "exit 7").start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> zombies() {
        List<String> zombies = new ArrayList<>();
        long pid = ProcessHandle.current().pid();
        try {
            for (String child : Files.readString(Path.of("/proc/" + pid + "/task/" + pid + "/children"))
                    .strip()
                    .split(" ")) {
                Path stat = Path.of("/proc/" + child + "/stat");
                if (!child.isEmpty()
                        && Files.exists(stat)
                        && Files.readString(stat).contains(") Z ")) {
                    zombies.add(child);
                }
            }
        } catch (IOException e) {
            return List.of("one that ended meanwhile"); // so that the caller retries
        }
        return zombies;
    }
}
