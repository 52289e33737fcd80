package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.ArtifactService;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.TaskState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
 * The cost of a request to the address of a verticle, beside a direct call: a verdict, and the read of a page of output. From one event
 * loop, each after the answer to the one before. For scale, a whole task.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders", "-Xmx1g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class HopBench {

    private static final int ASKED = 1000;
    private static final int PAGE_BYTES = 4096;
    private static final String ARTIFACT = "page";

    private final PolicyQuestion question = new PolicyQuestion(
            Operation.SPAWN,
            Actor.user("bench"),
            "bash",
            ArgValues.of(new JsonText("{\"command\":\"true\"}")),
            TaskEnvironment.NONE,
            ExecutionMode.PIPES,
            null,
            0);

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final Context loop = vertx.getOrCreateContext();
    private Policy policy = Policy.LOCAL;
    private Path folder = Path.of(".");
    private @Nullable ArtifactStore store;
    private @Nullable BenchEngine engine;

    @Setup(Level.Trial)
    public void open() throws IOException {
        policy = PolicySource.LOCAL.read();
        await(PolicyVerticle.serve(vertx.eventBus(), () -> policy));
        folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-bench-");
        ArtifactStore opened = ArtifactStore.open(folder);
        store = opened;
        await(ArtifactService.serve(vertx, opened));
        ArtifactWriter writer = opened.create(ARTIFACT, Long.MAX_VALUE);
        writer.append(ByteBuffer.wrap("one line\n".repeat(PAGE_BYTES / 9 + 1).getBytes(StandardCharsets.US_ASCII)));
        await(opened.seal(writer.end()));
        engine = BenchEngine.start();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        await(vertx.close());
        store().close();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        engine().close();
    }

    private ArtifactStore store() {
        return Objects.requireNonNull(store);
    }

    private BenchEngine engine() {
        return Objects.requireNonNull(engine);
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void verdictCalled() {
        oneByOne(() -> Future.succeededFuture(policy.verdict(question)));
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void verdictRequested() {
        Address<PolicyQuestion> address = PolicyVerticle.address(vertx.eventBus());
        oneByOne(() -> address.request(question));
    }

    /** On a worker of the caller. */
    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void pageCalled() {
        oneByOne(() -> vertx.executeBlocking(() -> store().find(ARTIFACT).text(0, PAGE_BYTES), false));
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public void pageRequested() {
        Address<ArtifactRequest<?>> address = ArtifactService.address(vertx.eventBus());
        var page =
                new ArtifactRequest.ReadText(new ArtifactRequest.Recorded(ARTIFACT, PAGE_BYTES, false), 0, PAGE_BYTES);
        oneByOne(() -> address.request(page));
    }

    /** From the spawn to the end. */
    @Benchmark
    public TaskState task() {
        String task = engine().spawn("exec true", ExecutionMode.PIPES);
        return await(engine().tasks()
                .awaitState(task, state -> state.run().ending() != null, 30_000)
                .state());
    }

    private void oneByOne(Supplier<Future<?>> operation) {
        Promise<Void> all = Promise.promise();
        loop.runOnContext(begin -> repeat(operation, ASKED, all));
        await(all.future());
    }

    /** A loop while answers are available at once, so that a thousand do not become a thousand nested calls. */
    private static void repeat(Supplier<Future<?>> operation, int times, Promise<Void> all) {
        for (int left = times; left > 0; left--) {
            Future<?> answer = operation.get();
            if (!answer.isComplete()) {
                int rest = left - 1;
                answer.onSuccess(done -> repeat(operation, rest, all)).onFailure(all::fail);
                return;
            }
        }
        all.complete();
    }
}
