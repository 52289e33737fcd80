package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.frames.Channel;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The cost of running programs, and that all resources are released. */
class NativeResourcesTest extends SpawnerTestBed {
    private static final int IDLE = 200;

    private Spawner spawner = new NativeSpawner(Optional.empty());

    @Override
    Spawner spawner() {
        return spawner;
    }

    @Test
    void fiveHundredProgramsLeaveNoDescriptorAndNoZombie() {
        run(20); // opens what stays open
        int before = descriptors();
        run(500);
        Eventually.holds("as many descriptors as before", () -> descriptors() <= before);
        // An orphan of another test may be this process's child by now; it is reaped within a second.
        Eventually.holds("no zombie", () -> zombies().isEmpty());
    }

    @Test
    void idleTerminalsHaveNoThreadAndLittleMemory() {
        run(20);
        long threads = threads();
        long memory = heapKib();
        List<Observed> idle = new ArrayList<>();
        for (int i = 0; i < IDLE; i++) {
            idle.add(start(terminal("sleep", "100")));
        }
        long more = threads() - threads;
        long kib = (heapKib() - memory) / IDLE;
        System.out.printf("%d idle terminals: %d more threads, %d KiB of heap each%n", IDLE, more, kib);
        assertTrue(more <= 2, more + " more threads");
        assertTrue(kib <= 64, kib + " KiB for each");
        idle.forEach(each -> assertTrue(!each.exit.isDone()));
    }

    @Test
    void descriptorShortageIsReportedAndTemporary() throws Exception {
        Process jvm = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 120 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExhaustDescriptors.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String tooMany = "OUT_OF_DESCRIPTORS cannot start cat: ";
        assertEquals(
                3,
                said.lines()
                        .filter(line -> line.startsWith(tooMany) || line.equals("recovered"))
                        .count(),
                said);
    }

    @Test
    void spawnsFromManyThreadsDoNotInterfere() throws Exception {
        spawnFromFourThreads(new NativeSpawner(Optional.empty()));
        Optional<Cgroups> cgroups = Cgroups.open();
        if (cgroups.isPresent()) {
            spawnFromFourThreads(new NativeSpawner(cgroups));
            Eventually.holds("no zombie", () -> zombies().isEmpty());
            cgroups.get().close();
        }
    }

    @Test
    void leftoversInCgroupsOfADeadServerAreKilled() throws Exception {
        Optional<Cgroups> mine = Cgroups.open();
        if (mine.isEmpty()) {
            return;
        }
        spawner = new NativeSpawner(mine);
        Observed program = start(shell("setsid sleep 100 & echo $!; wait"));
        long daemon = Long.parseLong(program.awaitText(Channel.STDOUT, "\n").strip());
        Path cgroup = cgroupOf(daemon);
        // As created by another server: one with our number but another start time.
        long pid = ProcessHandle.current().pid();
        Path folder = Objects.requireNonNull(cgroup.getParent());
        String name = folder.getFileName().toString();
        String[] words = name.split("-");
        assertEquals(Long.toString(pid), words[2]);
        Path dead = folder.resolveSibling(String.join("-", words[0], words[1], words[2], "1", "x"));
        Path run = Files.createDirectories(dead.resolve("run-1"));
        Files.writeString(run.resolve("cgroup.procs"), Long.toString(daemon));
        Cgroups.open().ifPresent(Cgroups::close);
        Eventually.holds(
                "the daemon has ended",
                () -> !ProcessHandle.of(daemon).map(ProcessHandle::isAlive).orElse(false));
        program.finish();
        Cgroups.open().ifPresent(Cgroups::close);
        assertTrue(!Files.exists(dead), "the folder of the dead server is still there");
        mine.get().close();
    }

    private void spawnFromFourThreads(Spawner by) throws Exception {
        spawner = by;
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int number = thread;
                answers.add(threads.submit(() -> {
                    for (int i = 0; i < 25; i++) {
                        var request = i % 5 == 0 ? pipes("/no/such") : shell("echo " + number + "." + i);
                        if (i % 5 == 0) {
                            assertThrows(SpawnFailure.class, () -> by.spawn(request));
                        } else {
                            var program = new Observed(by.spawn(request), vertx.getOrCreateContext());
                            assertEquals(number + "." + i + "\n", program.text(Channel.STDOUT));
                            program.text(Channel.STDERR);
                            program.finish();
                        }
                    }
                    return number;
                }));
            }
            for (Future<Integer> answer : answers) {
                answer.get();
            }
        }
    }

    private void run(int programs) {
        for (int i = 0; i < programs; i++) {
            if (i % 10 == 9) {
                assertThrows(SpawnFailure.class, () -> spawner.spawn(terminal("/no/such/program")));
            }
            var observed = start(i % 2 == 0 ? pipes("true").withInput() : terminal("true"));
            observed.finish();
            started.clear();
        }
    }

    private static Path cgroupOf(long pid) throws IOException {
        String own = Files.readAllLines(Path.of("/proc/" + pid + "/cgroup")).stream()
                .filter(line -> line.startsWith("0::/"))
                .findFirst()
                .orElseThrow()
                .substring("0::/".length());
        String mount = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(words -> words[2].equals("cgroup2"))
                .findFirst()
                .orElseThrow()[1];
        return Path.of(mount).resolve(own);
    }

    private static int descriptors() {
        String[] names = new File("/proc/self/fd").list();
        return names == null ? 0 : names.length;
    }

    private static long threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long heapKib() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024;
    }

    /** Children of this process that have ended and were not reaped. */
    private static List<String> zombies() {
        List<String> zombies = new ArrayList<>();
        String own = Long.toString(ProcessHandle.current().pid());
        String[] names = new File("/proc").list();
        for (String name : names == null ? new String[0] : names) {
            try {
                if (Character.isDigit(name.charAt(0))) {
                    String stat = Files.readString(Path.of("/proc", name, "stat"));
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    if (fields[0].equals("Z") && fields[1].equals(own)) {
                        zombies.add(stat);
                    }
                }
            } catch (IOException e) {
                continue; // it has ended
            }
        }
        return zombies;
    }
}
