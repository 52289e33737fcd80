package io.penstock.engine.spawn;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.Cgroups;
import io.penstock.engine.spawn.pty4j.Pty4jSpawner;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A benchmark, not a test: the cost of starting a program, reading its output, and keeping it. Run its main method. */
final class SpawnFigures {
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");
    private static final long PIPE_BYTES = 4_000_000_000L;
    private static final long TERMINAL_BYTES = 400_000_000L;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    private SpawnFigures() {}

    public static void main(String[] arguments) throws Exception {
        var figures = new SpawnFigures();
        Optional<Cgroups> cgroups = Cgroups.open();
        var plain = new NativeSpawner(Optional.empty());
        figures.starts("native, session", plain, 1000);
        if (cgroups.isPresent()) {
            figures.starts("native, cgroup, one after the other", new NativeSpawner(cgroups), 300);
            figures.quietStarts("native, cgroup, one every 100 ms", new NativeSpawner(cgroups), 30);
            cgroups.get().close();
        }
        figures.quietStarts("native, session, one every 100 ms", plain, 30);
        figures.starts("pty4j", new Pty4jSpawner(), 200);
        figures.reads("native", plain);
        figures.reads("pty4j", new Pty4jSpawner());
        figures.idle("native", plain, 500);
        figures.idle("pty4j", new Pty4jSpawner(), 100);
        figures.vertx.close().await();
        System.exit(0);
    }

    private void starts(String what, Spawner spawner, int times) throws Exception {
        for (ExecutionMode mode : ExecutionMode.values()) {
            runs(spawner, mode, times / 2, 0);
            print(what, mode, runs(spawner, mode, times, 0));
        }
    }

    private void quietStarts(String what, Spawner spawner, int times) throws Exception {
        print(what, ExecutionMode.PTY, runs(spawner, ExecutionMode.PTY, times, 100));
    }

    private static void print(String what, ExecutionMode mode, long[][] micros) {
        System.out.printf(
                "%s, %s: spawn p50 %d us p99 %d us; to the end of output and exit p50 %d us p99 %d us%n",
                what,
                mode.wireName(),
                micros[0][micros[0].length / 2],
                micros[0][micros[0].length * 99 / 100],
                micros[1][micros[1].length / 2],
                micros[1][micros[1].length * 99 / 100]);
    }

    private long[][] runs(Spawner spawner, ExecutionMode mode, int times, long restMs) throws Exception {
        long[] spawned = new long[times];
        long[] ended = new long[times];
        Context owner = vertx.getOrCreateContext();
        for (int i = 0; i < times; i++) {
            Thread.sleep(restMs);
            long start = System.nanoTime();
            RunningProcess process = spawner.spawn(request(mode, "/bin/true"));
            spawned[i] = (System.nanoTime() - start) / 1000;
            new Run(process, owner).end.get(20, TimeUnit.SECONDS);
            ended[i] = (System.nanoTime() - start) / 1000;
            owner.runOnContext(here -> process.close());
        }
        Arrays.sort(spawned);
        Arrays.sort(ended);
        return new long[][] {spawned, ended};
    }

    private void reads(String what, Spawner spawner) throws Exception {
        for (ExecutionMode mode : ExecutionMode.values()) {
            long bytes = mode == ExecutionMode.PTY ? TERMINAL_BYTES : PIPE_BYTES;
            for (int round = 0; round < 2; round++) {
                long cpu = cpuNanos();
                long start = System.nanoTime();
                var process = spawner.spawn(request(mode, "head", "-c", Long.toString(bytes), "/dev/zero"));
                Context owner = vertx.getOrCreateContext();
                var run = new Run(process, owner);
                run.end.get(100, TimeUnit.SECONDS);
                double seconds = (System.nanoTime() - start) / 1e9;
                owner.runOnContext(here -> process.close());
                if (round > 0) {
                    System.out.printf(
                            "%s, %s: %.0f MB/s, %.2f s of our CPU per GB, %.1f KiB per call%n",
                            what,
                            mode.wireName(),
                            run.bytes / 1e6 / seconds,
                            (cpuNanos() - cpu) / 1e9 / (run.bytes / 1e9),
                            run.bytes / 1024.0 / run.calls);
                }
            }
        }
    }

    private void idle(String what, Spawner spawner, int programs) throws Exception {
        System.gc();
        long memory = residentKib();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        List<RunningProcess> idle = new ArrayList<>();
        for (int i = 0; i < programs; i++) {
            RunningProcess process = spawner.spawn(request(ExecutionMode.PTY, "sleep", "1000"));
            new Run(process, vertx.getOrCreateContext());
            idle.add(process);
        }
        System.gc();
        System.out.printf(
                "%s, %d idle terminals: %.1f KiB resident and %.1f threads each%n",
                what,
                programs,
                (residentKib() - memory) / (double) programs,
                (ManagementFactory.getThreadMXBean().getThreadCount() - threads) / (double) programs);
        idle.forEach(RunningProcess::killAll);
    }

    private static SpawnRequest request(ExecutionMode mode, String... command) {
        return new SpawnRequest(
                List.of(command), ENVIRONMENT, Path.of("/"), mode, mode == ExecutionMode.PTY, TerminalSize.DEFAULT);
    }

    private static long cpuNanos() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    private static final class Run implements RunningProcess.Listener {
        final CompletableFuture<Boolean> end = new CompletableFuture<>();
        long bytes;
        long calls;
        private int left = 2;

        Run(RunningProcess process, Context owner) {
            owner.runOnContext(here -> process.attach(owner, this));
        }

        @Override
        public void output(Channel channel, ByteBuffer output) {
            bytes += output.remaining();
            calls++;
        }

        @Override
        public void closed(Channel channel) {
            if (channel != Channel.STDERR) {
                partEnded();
            }
        }

        @Override
        public void exited(ProcessExit exit) {
            partEnded();
        }

        private void partEnded() {
            if (--left == 0) {
                end.complete(true);
            }
        }
    }
}
