package io.penstock.bench.faults;

import io.penstock.bench.soak.CannotRun;
import io.penstock.bench.soak.SmallDisk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code ./penstock soak faults}: the server and Postgres are killed, Postgres is paused, the disk fills up,
 * descriptors run out, in random order under load. After each round it checks the promises of docs/operations.md, "What
 * survives what".
 */
final class FaultSoak {

    private static final long DISK_BYTES = 1L << 30;
    private static final int LONGEST_CALM_MS = 4000;

    private final PrintStream out;
    private final Path folder;
    private final List<Fault> faults;
    private final SplittableRandom random;
    private final Map<Fault, Integer> suffered = new EnumMap<>(Fault.class);

    FaultSoak(PrintStream out, Path folder, List<Fault> faults, long seed) {
        this.out = out;
        this.folder = folder;
        this.faults = faults;
        this.random = new SplittableRandom(seed);
    }

    void run(long minutes, long roundSeconds, long seed) throws CannotRun, IOException, InterruptedException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.createDirectory(folder.resolve("work"));
        SmallDisk disk = SmallDisk.mount(data, DISK_BYTES);
        try (var server = new RestartedServer(folder, disk);
                var calls = new Calls(server)) {
            server.start();
            var seen = new SeenFrames();
            var promises = new Promises(calls, seen, folder.resolve("work").resolve("ran"));
            long upNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
            for (int round = 1; System.nanoTime() < upNanos; round++) {
                var callers = new Callers(calls, seen, seed + 1000L * round);
                round(server, callers, roundSeconds);
                promises.check(callers.stop());
                out.printf(
                        "round %d: faults %s; %s; refused for good %s; slowest start %d ms%n",
                        round, suffered, promises.figures(), callers.refused(), server.slowestStartMs());
            }
        } finally {
            disk.unmount();
        }
    }

    private void round(RestartedServer server, Callers callers, long seconds) throws IOException, InterruptedException {
        long upNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < upNanos && !callers.haveFailed()) {
            Fault fault = faults.get(random.nextInt(faults.size()));
            server.suffer(fault, random);
            suffered.merge(fault, 1, Integer::sum);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_CALM_MS));
        }
    }

    void delete() throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
