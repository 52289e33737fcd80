package io.penstock.bench.agents;

import io.penstock.bench.attach.ServerMemory;
import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;

/**
 * Prints what a message of an agent costs beside a bare pipe, what fifty agents at once cost the server and how long their start takes, and
 * how long {@code task_join} takes while agents work.
 */
public final class AgentFigures {

    public static final int ROUNDS = 5;

    private static final int WARM_ROUNDS = 2;

    /** Each is three messages, and a conversation holds that many. */
    private static final int TOOL_CALLS = 3_000;

    private static final int AGENTS = 50;
    private static final int SESSIONS = 10;
    private static final long IDLE_MS = 5_000;

    private static final int BUSY_AGENTS = 8;
    private static final int JOINS = 300;

    private static final String WORK = "/tool t x\n".repeat(TOOL_CALLS);

    private final int rounds;

    private AgentFigures(int rounds) {
        this.rounds = rounds;
    }

    public static void run(int rounds) throws IOException, InterruptedException, ExecutionException {
        var figures = new AgentFigures(rounds);
        System.out.println(Machine.now());
        try (LoadedServer server = LoadedServer.start()) {
            figures.messages(server);
            figures.joins(server);
        }
        // The collector that the server has on two processors and more, also where the bench may use one only.
        try (LoadedServer server = LoadedServer.start(ServerMemory.OPTION, "-XX:+UseG1GC")) {
            figures.fifty(server);
        }
        System.out.println(Machine.now());
    }

    private void messages(LoadedServer server) throws IOException, InterruptedException {
        var bare = new BarePipe(Objects.requireNonNull(server.data().getParent()));
        var client = new AgentClient(server, "messages");
        double[] bareMicros = new double[rounds];
        double[] ownMicros = new double[rounds];
        double[] more = new double[rounds];
        double[] cpuMicros = new double[rounds];
        int messages = 0;
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            BarePipe.Turn turn = bare.run(WORK);
            long cpu = server.cpuNanos();
            String task = client.spawn(WORK);
            client.join(task);
            cpu = server.cpuNanos() - cpu;
            messages = turn.messages();
            if (round >= 0) {
                bareMicros[round] = turn.seconds() * 1e6 / messages;
                ownMicros[round] = client.secondsOfTurn(task) * 1e6 / messages;
                more[round] = ownMicros[round] - bareMicros[round];
                cpuMicros[round] = cpu / 1e3 / messages;
            }
        }
        System.out.printf(
                Locale.ROOT,
                """

                A message of the sample agent, in microseconds, of a turn of %,d; medians (least–most) of %d rounds after %d, in turns
                read from a bare pipe            %s
                recorded by Penstock             %s, which is %s more
                processor time of the server     %s, with the start and the end of the agent
                """,
                messages,
                rounds,
                WARM_ROUNDS,
                Spread.of(bareMicros),
                Spread.of(ownMicros),
                Spread.of(more),
                Spread.of(cpuMicros));
    }

    /** Joins of commands that end by themselves, and of tasks that have ended, while agents talk. */
    private void joins(LoadedServer server) throws IOException, InterruptedException, ExecutionException {
        var waits = new Histogram(3);
        var reads = new Histogram(3);
        var over = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> busy = new ArrayList<>();
            for (int i = 0; i < BUSY_AGENTS; i++) {
                var worker = new AgentClient(server, "busy-" + i / 4);
                busy.add(threads.submit(() -> {
                    while (!over.get()) {
                        worker.join(worker.spawn(WORK));
                    }
                    return null;
                }));
            }
            try {
                var client = new AgentClient(server, "joins");
                for (int i = 0; i < JOINS; i++) {
                    String task = client.command("sleep 0.05");
                    client.join(task);
                    waits.recordValue(Math.max(0, System.currentTimeMillis() - client.endedAtMs(task)));
                    long begun = System.nanoTime();
                    client.join(task);
                    reads.recordValue((System.nanoTime() - begun) / 1_000);
                }
            } finally {
                over.set(true);
            }
            for (Future<?> each : busy) {
                each.get();
            }
        }
        System.out.printf(
                Locale.ROOT,
                """

                task_join while %d agents write without a pause, %,d joins
                from the end of a command to the answer   p50 %d ms, p99 %d ms, longest %d ms, with a read of the end
                of a task that has ended                  p50 %.2f ms, p99 %.2f ms, longest %.2f ms
                """,
                BUSY_AGENTS,
                JOINS,
                waits.getValueAtPercentile(50),
                waits.getValueAtPercentile(99),
                waits.getMaxValue(),
                reads.getValueAtPercentile(50) / 1e3,
                reads.getValueAtPercentile(99) / 1e3,
                reads.getMaxValue() / 1e3);
    }

    private void fifty(LoadedServer server) throws IOException, InterruptedException, ExecutionException {
        var warm = new AgentClient(server, "warm");
        warm.join(warm.spawn("/say warm"));
        ServerMemory before = ServerMemory.of(server);
        long cpu = server.cpuNanos();
        var starts = new Histogram(3);
        long begun = System.nanoTime();
        List<String> tasks = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> spawned = new ArrayList<>();
            for (int i = 0; i < AGENTS; i++) {
                var client = new AgentClient(server, "many-" + i % SESSIONS);
                spawned.add(threads.submit(() -> {
                    long asked = System.nanoTime();
                    String task = client.spawn("/say here\n/hang");
                    client.await(task, "task_agent_message");
                    synchronized (starts) {
                        starts.recordValue((System.nanoTime() - asked) / 1_000_000);
                    }
                    return task;
                }));
            }
            for (Future<String> each : spawned) {
                tasks.add(each.get());
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        double startCpu = (server.cpuNanos() - cpu) / 1e6;
        cpu = server.cpuNanos();
        Thread.sleep(IDLE_MS);
        double idleCpu = (server.cpuNanos() - cpu) / 1e6 / (IDLE_MS / 1e3);
        ServerMemory after = ServerMemory.of(server);
        for (int i = 0; i < tasks.size(); i++) {
            new AgentClient(server, "many-" + i % SESSIONS).kill(tasks.get(i));
        }
        System.out.printf(
                Locale.ROOT,
                """

                %d sample agents at once, in %d sessions
                all at work after %.1f s; one from its spawn to its first word: p50 %d ms, longest %d ms
                processor time of the server: %.0f ms for each start, %.1f ms/s while they wait
                memory of the server for each: %.1f KiB of heap, %.1f KiB outside
                """,
                AGENTS,
                SESSIONS,
                seconds,
                starts.getValueAtPercentile(50),
                starts.getMaxValue(),
                startCpu / AGENTS,
                idleCpu,
                kibibytes(after.heapBytes() - before.heapBytes()),
                kibibytes(after.otherBytes() - before.otherBytes()));
    }

    private static double kibibytes(long bytes) {
        return bytes / 1024.0 / AGENTS;
    }
}
