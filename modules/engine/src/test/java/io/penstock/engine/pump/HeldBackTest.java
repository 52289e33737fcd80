package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Postgres is unavailable and the journal full: programs wait, and none of their output is lost. */
@Tag("RECORDED_BEFORE_SEEN")
@Tag("long")
class HeldBackTest {

    private static final Actor TESTER = Actor.user("tester");
    private static final long JOURNAL_BYTES = 1 << 20;

    private final Path data = TestDatabase.directoryWithData();
    private final Path folder = TestDatabase.directory();
    private EmbeddedPostgres postgres;
    private Ledger ledger;
    private RunningEngine engine;
    private volatile Policy policy = Policy.LOCAL;

    @BeforeEach
    void start() throws Exception {
        postgres = EmbeddedPostgres.start(TestDatabase.settings(data));
        var opened = new AtomicReference<Ledger>();
        engine = new RunningEngine(
                folder,
                vertx -> {
                    Ledger made = await(Ledger.open(
                            vertx,
                            LedgerSettings.of(folder.resolve("journal"), postgres.connectOptions())
                                    .withJournalSizes(512 << 10, JOURNAL_BYTES)));
                    opened.set(made);
                    return made.frames();
                },
                () -> policy);
        ledger = Objects.requireNonNull(opened.get());
    }

    @AfterEach
    void stop() throws Exception {
        engine.stop();
        await(ledger.close());
        engine.close();
        postgres.stop();
        TestDatabase.delete(data);
        TestDatabase.delete(folder);
    }

    /** Fills the journal, so that every frame waits from now on. */
    private void fillTheJournal() throws Exception {
        StreamWriter other = await(ledger.frames().create(StreamId.task("another")));
        await(ledger.drained());
        postgres.stop();
        var notice = new TaskNotice("filler", "x".repeat(4_000));
        Future<Frame> last = Future.succeededFuture();
        // At half of its limit, an append may wait for a moment, for the next file.
        while (last.isComplete() || ledger.health().undrainedBytes() < JOURNAL_BYTES - (16 << 10)) {
            if (last.isComplete()) {
                last = other.append(1, notice);
            }
        }
    }

    @Test
    void operationsDuringOutageAreRecordedOrRefused() throws Exception {
        byte[] bytes = new byte[6 << 20];
        new Random(7).nextBytes(bytes);
        Files.write(folder.resolve("bytes"), bytes);
        String task = engine.spawn(
                bash("stty raw -echo; printf r; head -c1 >/dev/null; cat bytes; exit 5", ExecutionMode.PTY));
        engine.until(task, f -> f.body() instanceof ToolTaskOutputDelta);
        // The follower has read history, so it needs no database during the outage.
        fillTheJournal();

        List<Future<Long>> asked = new ArrayList<>();
        asked.add(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'x'}, TESTER)));
        for (int i = 0; i < 200; i++) {
            asked.add(engine.tasks.apply(new TaskCommand.Resize(task, new TerminalSize(10 + i % 5, 80), TESTER)));
        }
        var refused = new CompletableFuture<Throwable>();
        asked.getLast().onFailure(refused::complete);
        Failure why = (Failure) refused.get(20, TimeUnit.SECONDS);
        assertEquals(FailureCode.LOG_BACKLOGGED, why.code());
        assertTrue(String.valueOf(why.getMessage()).contains("it was not done"), why::getMessage);
        assertTrue(engine.artifacts.find(task + ".pty").storedBytes() < bytes.length, "the program was not held back");

        postgres = postgres.startAgain();
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(Ending.exit(5), state.run().ending());
        assertEquals(1 + bytes.length, state.output().total(Channel.PTY));
        byte[] stored = engine.stored(task, Channel.PTY);
        assertArrayEquals(bytes, Arrays.copyOfRange(stored, 1, stored.length));
        await(Future.join(asked).otherwiseEmpty());
        assertEquals(
                asked.subList(1, asked.size()).stream()
                        .filter(Future::succeeded)
                        .count(),
                frames.stream()
                        .filter(f -> f.body().type() == FrameType.TOOL_TASK_RESIZED)
                        .count());
    }

    @Test
    void exitDuringOutageReportsNoHeldPipe() throws Exception {
        Path fifo = folder.resolve("go");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        String task = engine.spawn(
                bash("exec 3<>go; echo ready; read -n1 x <&3; head -c 900000 /dev/zero; exit 0", ExecutionMode.PIPES));
        engine.until(task, f -> f.body() instanceof ToolTaskOutputDelta);
        fillTheJournal();
        Files.writeString(fifo, "x");
        // Longer than the final drain after an exit, measured by a timer of another event loop.
        var passed = new CompletableFuture<Void>();
        engine.vertx.setTimer(2_500, t -> passed.complete(null));
        passed.get(20, TimeUnit.SECONDS);

        postgres = postgres.startAgain();
        List<Frame> frames = engine.ended(task);
        TaskState state = TaskState.fold(frames);
        assertEquals(Ending.exit(0), state.run().ending());
        assertEquals(900_006, state.output().stdoutTotal());
        assertTrue(frames.stream().noneMatch(f -> f.body() instanceof TaskNotice), () -> "" + frames);
    }

    @Test
    void unrecordableDenialIsRefusedAndTaskContinues() throws Exception {
        policy = new Policy(
                "of the test",
                List.of(new Rule(
                        question -> question.operation() == Operation.CANCEL,
                        new Verdict.Deny("nobody", "it shall run to its end"))),
                Policy.LOCAL.otherwise());
        String task = engine.spawn(bash("stty -echo; echo ready; read x; echo $x; exit 5", ExecutionMode.PTY));
        engine.until(task, f -> f.body() instanceof ToolTaskOutputDelta);
        fillTheJournal();
        List<Future<@Nullable Long>> cancels = Stream.generate(
                        () -> engine.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)))
                .limit(70)
                .toList();
        var refused = new CompletableFuture<Throwable>();
        cancels.getLast().onFailure(refused::complete);
        Failure why = (Failure) refused.get(20, TimeUnit.SECONDS);
        assertEquals(FailureCode.LOG_BACKLOGGED, why.code());

        postgres = postgres.startAgain();
        await(Future.join(cancels).otherwiseEmpty());
        await(engine.tasks.apply(new TaskCommand.WriteInput(task, "x\n".getBytes(StandardCharsets.UTF_8), TESTER)));
        List<Frame> frames = engine.ended(task);
        assertEquals(Ending.exit(5), TaskState.fold(frames).run().ending());
        assertEquals(
                cancels.stream()
                        .filter(cancel -> cancel.cause() instanceof PolicyDenied)
                        .count(),
                frames.stream()
                        .filter(f -> f.body() instanceof TaskPolicyVerdict verdict
                                && verdict.verdict() == TaskPolicyVerdict.Verdict.DENY)
                        .count());
    }
}
