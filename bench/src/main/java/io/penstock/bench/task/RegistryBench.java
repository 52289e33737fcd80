package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of finding a task and getting its state: queried on one event loop, as by an edge, for tasks on all shards.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
public class RegistryBench {

    private static final int TASKS = 200;
    private static final int ASKED = 1000;

    private @Nullable BenchEngine engine;
    private @Nullable Context loop;
    private List<String> living = List.of();
    private List<String> ended = List.of();

    @Setup(Level.Trial)
    public void open() throws IOException, InterruptedException {
        BenchEngine started = BenchEngine.start();
        engine = started;
        loop = started.vertx().getOrCreateContext();
        living = begin(started, "exec sleep 1000000", Phase.RUNNING);
        // Fewer than the number of ended states kept in memory.
        ended = begin(started, "exec true", Phase.ENDED).subList(0, TASKS / 2);
    }

    private static List<String> begin(BenchEngine engine, String command, Phase until) throws InterruptedException {
        var tasks = new ArrayList<String>();
        for (int i = 0; i < TASKS; i++) {
            tasks.add(engine.spawn(command, ExecutionMode.PIPES));
        }
        for (String task : tasks) {
            while (await(engine.tasks().state(task)).phase() != until) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return tasks;
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        Objects.requireNonNull(engine).close();
    }

    /** One query at a time. */
    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void livingOneByOne() {
        oneByOne(living);
    }

    /** A thousand concurrent queries, as from many connections. */
    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void livingAtOnce() {
        TaskApi tasks = Objects.requireNonNull(engine).tasks();
        Promise<Void> all = Promise.promise();
        Objects.requireNonNull(loop).runOnContext(begin -> {
            // Answers arrive on the shards' threads.
            var left = new AtomicInteger(ASKED);
            for (int i = 0; i < ASKED; i++) {
                tasks.state(living.get(i % living.size())).onComplete(state -> {
                    if (left.decrementAndGet() == 0) {
                        all.complete();
                    }
                });
            }
        });
        await(all.future());
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void endedOneByOne() {
        oneByOne(ended);
    }

    private void oneByOne(List<String> tasks) {
        Promise<Void> all = Promise.promise();
        Objects.requireNonNull(loop).runOnContext(begin -> ask(tasks, ASKED, all));
        await(all.future());
    }

    /** A loop while answers are available at once, so that a thousand queries do not become a thousand nested calls. */
    private void ask(List<String> tasks, int left, Promise<Void> all) {
        TaskApi api = Objects.requireNonNull(engine).tasks();
        for (int i = left; i > 0; i--) {
            Future<TaskState> answer = api.state(tasks.get(i % tasks.size()));
            if (!answer.isComplete()) {
                int rest = i - 1;
                answer.onComplete(state -> Objects.requireNonNull(loop).runOnContext(next -> ask(tasks, rest, all)));
                return;
            }
        }
        all.complete();
    }
}
