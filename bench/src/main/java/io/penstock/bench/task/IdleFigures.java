package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.bench.log.Machine;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Phase;
import io.vertx.core.Future;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Prints the cost of idle tasks: a terminal each, with a program that sleeps. */
public final class IdleFigures {

    public static final int TASKS = 500;
    private static final int WARM_TASKS = 100;
    private static final long GOAL_BYTES = 64 << 10;

    /** The resources of this process after a garbage collection. */
    private record Taken(long heap, long direct, long resident, int threads) {

        static Taken now() throws IOException {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return new Taken(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                    direct,
                    kilobytes("VmRSS:") << 10,
                    (int) (kilobytes("Threads:")));
        }

        private static long kilobytes(String field) throws IOException {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(field)) {
                    return Long.parseLong(
                            line.substring(field.length()).replace("kB", "").trim());
                }
            }
            throw new IOException("/proc/self/status has no " + field);
        }
    }

    private static final String SLEEPS = "exec sleep 1000000";
    private static final String READS = "exec cat";
    private static final int REST_SECONDS = 10;

    private IdleFigures() {}

    public static void run(int count) throws Exception {
        try (BenchEngine engine = BenchEngine.start()) {
            System.out.println(Machine.now());
            // Classes, code and pools loaded for the first tasks must not be counted for the next ones.
            end(engine, begin(engine, WARM_TASKS, READS));
            Taken before = Taken.now();
            double baseline = processorMicros();
            List<String> tasks = begin(engine, count, SLEEPS);
            Taken after = Taken.now();
            print(count, before, after);
            double sleeping = processorMicros();
            end(engine, tasks);
            List<String> readers = begin(engine, count, READS);
            double waiting = processorMicros();
            end(engine, readers);
            print(count, baseline, sleeping, waiting);
            System.out.println(Machine.now());
        }
    }

    private static void print(int count, Taken before, Taken after) {
        System.out.printf(
                Locale.ROOT,
                """

                %d tasks, each a terminal with a program that sleeps; what this process takes more than before, each task.
                The programs themselves and their terminals in the kernel are not counted.

                                          KiB a task      goal
                heap after collection     %10.1f
                buffers outside of it     %10.1f
                both together             %10.1f      ≤ %d
                resident memory           %10.1f      ≤ %d
                threads, all together     %10d      0
                """,
                count,
                (after.heap() - before.heap()) / 1024.0 / count,
                (after.direct() - before.direct()) / 1024.0 / count,
                (after.heap() - before.heap() + after.direct() - before.direct()) / 1024.0 / count,
                GOAL_BYTES >> 10,
                (after.resident() - before.resident()) / 1024.0 / count,
                GOAL_BYTES >> 10,
                after.threads() - before.threads());
    }

    private static void print(int count, double baseline, double sleeping, double waiting) {
        System.out.printf(
                Locale.ROOT,
                """

                processor time of this process in a second, over %d s in which nothing happens; each task is looked at every 4 s, for whether it waits
                without tasks                    %8.0f µs
                tasks that sleep                 %8.0f µs, %.1f each
                tasks that wait for input        %8.0f µs, %.1f each
                """,
                REST_SECONDS,
                baseline,
                sleeping,
                (sleeping - baseline) / count,
                waiting,
                (waiting - baseline) / count);
    }

    /** Processor time per second at rest. */
    private static double processorMicros() throws InterruptedException {
        var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        // Tasks that have just started are polled more often.
        TimeUnit.SECONDS.sleep(REST_SECONDS);
        long before = machine.getProcessCpuTime();
        TimeUnit.SECONDS.sleep(REST_SECONDS);
        return (machine.getProcessCpuTime() - before) / 1e3 / REST_SECONDS;
    }

    private static List<String> begin(BenchEngine engine, int count, String command) throws InterruptedException {
        var tasks = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            tasks.add(engine.spawn(command, ExecutionMode.PTY));
        }
        for (String task : tasks) {
            while (!await(engine.tasks().state(task)).phase().isLive()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return tasks;
    }

    private static void end(BenchEngine engine, List<String> tasks) throws InterruptedException {
        var ending = new ArrayList<Future<?>>();
        tasks.forEach(
                task -> ending.add(engine.tasks().apply(new TaskCommand.Cancel(task, null, Actor.user("bench")))));
        await(Future.join(ending));
        for (String task : tasks) {
            while (await(engine.tasks().state(task)).phase() != Phase.ENDED) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }
}
