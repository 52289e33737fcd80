package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.Rule;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Budgets;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Keep;
import io.penstock.frames.LineSpan;
import io.penstock.frames.LogEnd;
import io.penstock.frames.OnLost;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.TaskQueued;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolEnded;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.WatchScope;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task that wants it runs again when the server dies during a run: after that run is gone, as often as is allowed, and truthfully. */
class RunAgainTest {

    private static final Actor TESTER = Actor.user("tester");
    private static final StreamId SESSION = StreamId.session("cli");

    private final Vertx vertx = Vertx.vertx();
    private final List<RunningEngine> servers = new ArrayList<>();
    private Supplier<Policy> policy = () -> Policy.LOCAL;

    @TempDir
    Path folder;

    /** Where the programs of all servers write. */
    private Path shared = Path.of("");

    private MemoryFrameLog log = new MemoryFrameLog(vertx);
    private Path data = Path.of("");

    @BeforeEach
    void begin() throws IOException {
        shared = Files.createDirectory(folder.resolve("shared"));
        data = Files.createDirectory(folder.resolve("server-1"));
    }

    @AfterEach
    void close() {
        servers.forEach(RunningEngine::close);
        await(vertx.close());
    }

    private RunningEngine start() {
        var server = new RunningEngine(data, any -> log, policy);
        servers.add(server);
        return server;
    }

    /** Starts the next server on what the death left. The dead one starts nothing any more. */
    private RunningEngine restart(Death death) throws IOException {
        servers.getLast().lanes().close();
        data = folder.resolve("server-" + (servers.size() + 1));
        log = death.leaves(vertx, data);
        return start();
    }

    private Death death(String... tasks) throws IOException {
        Stream<StreamId> streams =
                Stream.concat(Stream.of(SESSION), Stream.of(tasks).map(StreamId::task));
        return new Death(log, data, streams.toArray(StreamId[]::new));
    }

    private TaskRequest.Builder wanted(String command) {
        return TaskRequest.builder("bash", List.of("/bin/bash", "-c", command), TESTER)
                .environment(Map.of("SHARED", shared.toString()))
                .originSessionId("cli")
                .serial(true)
                .onLost(OnLost.REQUEUE);
    }

    /** Writes its number, and waits to be killed unless it is that run. */
    private TaskRequest.Builder endsInRun(int last) {
        return wanted("echo run >> $SHARED/runs; n=$(wc -l < $SHARED/runs); echo \"run $n\"; " + "[ $n = " + last
                + " ] || exec sleep 600; echo end");
    }

    private static String spawn(RunningEngine server, TaskRequest.Builder task) {
        return await(server.tasks.spawn(task.build()));
    }

    private static void untilOutput(RunningEngine server, String task, String text) {
        server.until(
                task,
                frame -> frame.body() instanceof ToolTaskOutputDelta delta
                        && delta.text() != null
                        && delta.text().chunk().contains(text));
    }

    /** A task whose server died when it had written something, and the next server. */
    private record Interrupted(String task, RunningEngine server) {

        List<Frame> frames() {
            return server.ended(task);
        }

        TaskState end() {
            return TaskState.fold(frames());
        }

        String error() {
            return RunAgainTest.error(server, task);
        }

        String stored() {
            return RunAgainTest.stored(server, task);
        }
    }

    private Interrupted interrupted(TaskRequest.Builder wanted, String whenWritten) throws IOException {
        RunningEngine first = start();
        String task = spawn(first, wanted);
        untilOutput(first, task, whenWritten);
        return new Interrupted(task, restart(death(task)));
    }

    private static void untilRuns(RunningEngine server, String task) {
        server.until(task, frame -> frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.RUNNING);
    }

    private static <T extends FrameBody> List<T> of(List<Frame> frames, Class<T> type) {
        return frames.stream()
                .map(Frame::body)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static String stored(RunningEngine server, String task) {
        return new String(server.stored(task, Channel.STDOUT), StandardCharsets.UTF_8);
    }

    private List<Frame> session() {
        return Death.read(log, SESSION);
    }

    private static String error(RunningEngine server, String task) {
        return Objects.requireNonNull(server.state(task).run().error());
    }

    private List<String> left(String of) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve(of))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void runOfDeadServerIsKilledAndTaskRunsAgain() throws Exception {
        RunningEngine first = start();
        String task = spawn(first, endsInRun(2));
        untilOutput(first, task, "run 1");
        RunningEngine second = restart(death(task));
        List<Frame> frames = second.ended(task);
        TaskState end = TaskState.fold(frames);
        assertEquals(Outcome.SUCCEEDED, end.outcome());
        assertEquals(2, end.run().number());
        assertEquals(
                OnLost.REQUEUE, of(frames, ToolTaskSpawned.class).getFirst().onLost());
        assertEquals(
                List.of(new TaskRunStarted(2, TaskRunStarted.Kind.RECOVER, Actor.SERVER)),
                of(frames, TaskRunStarted.class));
        assertEquals(2, of(frames, TaskPolicyVerdict.class).size());
        assertEquals(1, of(frames, TaskQueued.class).size());
        // The first program was killed before the second began, so its server saw its end.
        assertEquals(Outcome.NONZERO, TaskState.fold(first.ended(task)).outcome());

        String output = "run 1\nrun 2\nend\n";
        assertEquals(output, stored(second, task));
        LogEnd stdout = end.run().logs().getFirst();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(output.getBytes(StandardCharsets.UTF_8));
        assertEquals("sha256:" + HexFormat.of().formatHex(digest), stdout.digest());
        second.stop();
        assertEquals(1, of(session(), ToolEnded.class).size());
        assertEquals(List.of(), left("live"));
        assertEquals(List.of(), left("queue"));
    }

    @Test
    void linesOfSecondRunAreCountedFromThoseOfFirst() throws Exception {
        Interrupted task = interrupted(
                wanted("if [ -e $SHARED/again ]; then echo four; else touch $SHARED/again;"
                        + " printf 'one\\ntwo\\nthree'; exec sleep 600; fi"),
                "three");
        List<ToolTaskOutputDelta> deltas = of(task.frames(), ToolTaskOutputDelta.class);
        assertEquals(3, Objects.requireNonNull(deltas.getLast().lines()).first());
        assertEquals("one\ntwo\nthreefour\n", task.stored());
    }

    @Test
    void thirdDeathEndsTaskAsLost() throws Exception {
        RunningEngine server = start();
        String task = spawn(server, endsInRun(4));
        for (int run = 1; run <= 3; run++) {
            untilOutput(server, task, "run " + run);
            server = restart(death(task));
        }
        assertEquals(Outcome.LOST, TaskState.fold(server.ended(task)).outcome());
        assertEquals(
                "lost: the server died while the task ran, so how it ended is not known; it was run 3 times, which is the"
                        + " maximum",
                error(server, task));
        server.stop();
        assertEquals(1, of(session(), ToolEnded.class).size());
        assertEquals(3, Files.readAllLines(shared.resolve("runs")).size());
    }

    @Test
    void taskThatDoesNotAskForItEndsAsLost() throws Exception {
        Interrupted task = interrupted(endsInRun(2).onLost(OnLost.END), "run 1");
        assertEquals(Outcome.LOST, task.end().outcome());
        assertEquals("lost: the server died while the task ran, so how it ended is not known", task.error());
    }

    @Test
    void terminalIsNotRunAgain() throws Exception {
        List<Frame> frames =
                interrupted(endsInRun(2).mode(ExecutionMode.PTY), "run 1").frames();
        assertEquals(Outcome.LOST, TaskState.fold(frames).outcome());
        assertEquals(OnLost.END, of(frames, ToolTaskSpawned.class).getFirst().onLost());
    }

    @Test
    void stoppedTaskIsNotRunAgain() throws Exception {
        RunningEngine first = start();
        String task =
                spawn(first, wanted("trap '' TERM; echo run >> $SHARED/runs; echo up; while :; do sleep 0.1; done"));
        untilOutput(first, task, "up");
        await(first.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        first.until(task, frame -> frame.body() instanceof ToolTaskCancelRequested);
        RunningEngine second = restart(death(task));
        assertEquals(Outcome.LOST, TaskState.fold(second.ended(task)).outcome());
        assertEquals(
                "lost: the server died while it stopped the task, so how it ended is not known", error(second, task));
        assertEquals(1, Files.readAllLines(shared.resolve("runs")).size());
    }

    /** Only the outputs of a program that has ended are sealed. */
    @Test
    void programThatHadEndedIsNotRunAgain() throws Exception {
        RunningEngine first = start();
        String task = spawn(first, endsInRun(2));
        untilOutput(first, task, "run 1");
        Death death = death(task);
        await(first.tasks.apply(new TaskCommand.Cancel(task, null, TESTER)));
        List<Frame> all = first.ended(task);
        StreamId stream = StreamId.task(task);
        var recorded = new ArrayList<>(death.frames(stream));
        FrameBody sealed = of(all, ArtifactWritten.class).getFirst();
        recorded.add(new Frame(stream, recorded.size(), 1, sealed));
        death.put(stream, recorded);
        RunningEngine second = restart(death);
        assertEquals(Outcome.LOST, TaskState.fold(second.ended(task)).outcome());
        assertEquals("lost: the program had ended, but the server died before it recorded how", error(second, task));
        assertEquals(1, Files.readAllLines(shared.resolve("runs")).size());
    }

    private static Policy spawns(Verdict verdict) {
        return new Policy(
                "changed",
                List.of(new Rule(question -> question.operation() == Operation.SPAWN, verdict)),
                Policy.LOCAL.otherwise());
    }

    @Test
    void changedPolicyDecidesAboutTheNextRun() throws Exception {
        RunningEngine first = start();
        String task = spawn(first, endsInRun(9));
        untilOutput(first, task, "run 1");
        Death death = death(task);
        policy = () -> spawns(new Verdict.Deny("no-more", "it is forbidden now"));
        RunningEngine denied = restart(death);
        assertEquals(Outcome.LOST, TaskState.fold(denied.ended(task)).outcome());
        assertTrue(
                error(denied, task)
                        .endsWith("; it is not run again: The rule \"no-more\" denies spawn: it is forbidden now"),
                error(denied, task));

        policy = () -> spawns(new Verdict.Ask("careful", "May it run?", 60_000, Budgets.NONE));
        RunningEngine asking = restart(death);
        assertEquals(Outcome.LOST, TaskState.fold(asking.ended(task)).outcome());
        assertTrue(error(asking, task).contains("without an answer to \"May it run?\""), error(asking, task));

        policy = () -> spawns(new Verdict.Allow("little", null, new Budgets(null, 3L, null)));
        RunningEngine allowed = restart(death);
        List<Frame> frames = allowed.ended(task);
        assertEquals("little", of(frames, TaskPolicyVerdict.class).getLast().rule());
        // Its output is more than the new budget.
        assertEquals(Outcome.CANCELLED, TaskState.fold(frames).outcome());
    }

    @Test
    void deathDuringRecoveryCostsNoRun() throws Exception {
        RunningEngine first = start();
        String task = spawn(first, endsInRun(2));
        untilOutput(first, task, "run 1");
        Death death = death(task);
        // Its file is in the queue already, and its frames say that it runs.
        Files.copy(death.files().resolve("live/" + task), death.files().resolve("queue/" + task));
        RunningEngine second = restart(death);
        List<Frame> frames = second.ended(task);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
        assertEquals(2, TaskState.fold(frames).run().number());

        // The new run is recorded, and its server dies before it is started.
        Files.writeString(shared.resolve("runs"), "run\n");
        death.put(StreamId.task(task), upTo(frames, TaskQueued.class, 0));
        RunningEngine third = restart(death);
        frames = third.ended(task);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
        assertEquals(2, TaskState.fold(frames).run().number());
    }

    @Test
    void laneKeepsItsOrderAndRunsOneAtATime() throws Exception {
        RunningEngine first = start();
        String runs = spawn(
                first,
                wanted("echo first >> $SHARED/order; [ -e $SHARED/again ] && exit; touch $SHARED/again; echo up;"
                        + " while :; do echo first >> $SHARED/alive; sleep 0.01; done"));
        String second = spawn(first, wanted("echo second >> $SHARED/order"));
        String third = spawn(first, wanted("echo third >> $SHARED/order").onLost(OnLost.END));
        untilOutput(first, runs, "up");
        RunningEngine next = restart(death(runs, second, third));
        for (String task : List.of(runs, second, third)) {
            assertEquals(Outcome.SUCCEEDED, TaskState.fold(next.ended(task)).outcome());
        }
        assertEquals(List.of("first", "first", "second", "third"), Files.readAllLines(shared.resolve("order")));
        long before = 0;
        for (String task : List.of(runs, second, third)) {
            RunTimes times = RunTimes.of(next.ended(task));
            assertTrue(times.startedAtMs() >= before, times::toString);
            before = times.endedAtMs();
        }
    }

    private record RunTimes(long startedAtMs, long endedAtMs) {
        static RunTimes of(List<Frame> frames) {
            TaskState end = TaskState.fold(frames);
            return new RunTimes(
                    Objects.requireNonNull(end.run().startedAtMs()),
                    Objects.requireNonNull(end.run().endedAtMs()));
        }
    }

    @Test
    void taskThatWaitsBehindLostOneWaitsUntilItIsKilled() throws Exception {
        RunningEngine first = start();
        String lost = spawn(
                first,
                wanted("echo x > $SHARED/alive; echo up; while :; do echo x >> $SHARED/alive; sleep 0.01; done")
                        .onLost(OnLost.END));
        String waits = spawn(
                first,
                wanted("wc -l < $SHARED/alive > $SHARED/a; sleep 0.1;"
                        + " wc -l < $SHARED/alive > $SHARED/b; cmp $SHARED/a $SHARED/b"));
        untilOutput(first, lost, "up");
        RunningEngine second = restart(death(lost, waits));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(second.ended(waits)).outcome());
        assertEquals(Outcome.LOST, TaskState.fold(second.ended(lost)).outcome());
    }

    @Test
    void cappedOutputStaysCappedInTheNextRun() throws Exception {
        Interrupted task = interrupted(endsInRun(2).artifactMaxBytes(4L), "run");
        TaskState end = task.end();
        assertEquals("run ", task.stored());
        assertEquals(16, end.output().total(Channel.STDOUT));
        assertEquals(4, end.output().stored(Channel.STDOUT));
        assertEquals(List.of(), of(task.frames(), ToolTaskOutputGap.class));
    }

    @Test
    void tailIsKeptOverBothRuns() throws Exception {
        Interrupted task = interrupted(
                wanted(
                                "[ -e $SHARED/again ] && echo end || { touch $SHARED/again; head -c 200000 /dev/zero | tr '\\0' x;"
                                        + " echo up; exec sleep 600; }")
                        .keep(Keep.TAIL)
                        .artifactMaxBytes(65_536L),
                "up");
        LogEnd stdout = task.end().run().logs().getFirst();
        assertNull(stdout.error());
        assertEquals(200_007, stdout.bytesStored());
        byte[] last = task.server.artifacts.find(task.task + ".stdout").read(200_000, 100);
        assertEquals("up\nend\n", new String(last, StandardCharsets.UTF_8));
    }

    @Test
    void timeoutCountsForEachRun() throws Exception {
        TaskState end = interrupted(endsInRun(9).timeout(Duration.ofMillis(4_000)), "run 1")
                .end();
        assertEquals(Outcome.TIMED_OUT, end.outcome());
        assertEquals(2, end.run().number());
        long ranMs = Objects.requireNonNull(end.run().endedAtMs())
                - Objects.requireNonNull(end.run().startedAtMs());
        assertTrue(ranMs >= 4_000, ranMs + " ms");
    }

    @Test
    void missingBytesOfFirstRunAreGapBeforeSecond() throws Exception {
        RunningEngine first = start();
        String task = spawn(first, endsInRun(2));
        untilOutput(first, task, "run 1");
        Death death = death(task);
        StreamId stream = StreamId.task(task);
        // As on a full disk: a delta whose bytes are not stored.
        var recorded = new ArrayList<>(death.frames(stream));
        recorded.add(new Frame(
                stream, recorded.size(), 1, new ToolTaskOutputDelta(Channel.STDOUT, 6, 10, 6, new LineSpan(2, 1))));
        death.put(stream, recorded);
        RunningEngine second = restart(death);
        List<Frame> frames = second.ended(task);
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
        ToolTaskOutputGap gap = of(frames, ToolTaskOutputGap.class).getFirst();
        assertEquals(6, gap.offset());
        assertEquals(10, gap.bytes());
        assertEquals(26, TaskState.fold(frames).output().stored(Channel.STDOUT));
        assertEquals("run 1\n", stored(second, task).substring(0, 6));
    }

    private static WatchSpec watch(String regex, boolean once) {
        return new WatchSpec(regex, "seen", EnumSet.allOf(Channel.class), once, WatchScope.LINE);
    }

    private static List<Long> offsets(List<TaskWatcherHit> hits) {
        return hits.stream().map(TaskWatcherHit::offset).toList();
    }

    private List<Long> mailed() {
        return of(session(), SessionWatcherHit.class).stream()
                .map(SessionWatcherHit::offset)
                .toList();
    }

    /** The first program writes once, so that the first frame of output has all of it; the shell would write each line. */
    @Test
    void eachHitIsFoundAndMailedOnceWhereverTheServerDies() throws Exception {
        RunningEngine first = start();
        String task = spawn(
                first,
                wanted(
                                "[ -e $SHARED/again ] && echo hit 5 || { touch $SHARED/again; /usr/bin/printf 'hit 1\\nno\\nhit 3\\n';"
                                        + " exec sleep 600; }")
                        .watch(List.of(watch("hit .", false), watch("h", true))));
        StreamId stream = StreamId.task(task);
        first.until(task, frame -> frame.body() instanceof TaskWatcherHit hit && hit.offset() == 9);
        Predicate<Frame> mail = frame -> frame.body() instanceof SessionWatcherHit;
        while (session().stream().filter(mail).count() < 3) {
            Thread.onSpinWait();
        }
        Death death = death(task);
        List<Frame> all = death.frames(stream);
        List<Frame> sent = death.frames(SESSION);
        int found = of(all, TaskWatcherHit.class).size();
        assertEquals(3, found);
        for (int hits = 0; hits <= found; hits++) {
            for (int mails = 0; mails <= hits; mails++) {
                death.put(stream, upTo(all, TaskWatcherHit.class, hits));
                death.put(SESSION, upTo(sent, SessionWatcherHit.class, mails));
                RunningEngine second = restart(death);
                List<Frame> frames = second.ended(task);
                assertEquals(List.of(0L, 9L, 15L), sorted(frames, "w1"), "after " + hits + " hits");
                assertEquals(List.of(0L), sorted(frames, "w2"), "after " + hits + " hits");
                second.stop();
                assertEquals(
                        of(frames, TaskWatcherHit.class).stream()
                                .map(TaskWatcherHit::offset)
                                .toList(),
                        mailed(),
                        "after " + hits + " hits, " + mails + " of them mailed");
            }
        }
    }

    private static List<Long> sorted(List<Frame> frames, String watcher) {
        return offsets(of(frames, TaskWatcherHit.class).stream()
                .filter(hit -> hit.watcherId().equals(watcher))
                .sorted((a, b) -> Long.compare(a.offset(), b.offset()))
                .toList());
    }

    /** The frames before the first one of this type that is too many. */
    private static List<Frame> upTo(List<Frame> frames, Class<? extends FrameBody> type, int count) {
        int seen = 0;
        for (int i = 0; i < frames.size(); i++) {
            if (type.isInstance(frames.get(i).body()) && seen++ == count) {
                return frames.subList(0, i);
            }
        }
        return frames;
    }

    @Test
    void lostTaskHasItsLastHitsToo() throws Exception {
        RunningEngine first = start();
        String task = spawn(
                first, wanted("echo hit; exec sleep 600").onLost(OnLost.END).watch(List.of(watch("hit", false))));
        first.until(task, frame -> frame.body() instanceof TaskWatcherHit);
        Death death = death(task);
        StreamId stream = StreamId.task(task);
        death.put(stream, upTo(death.frames(stream), TaskWatcherHit.class, 0));
        RunningEngine second = restart(death);
        List<Frame> frames = second.ended(task);
        assertEquals(Outcome.LOST, TaskState.fold(frames).outcome());
        assertEquals(List.of(0L), offsets(of(frames, TaskWatcherHit.class)));
    }

    @Test
    void watchersThatWereNotRecordedAreAdded() throws Exception {
        RunningEngine first = new RunningEngine(data, any -> log, policy, new Quotas(1, 1, 10));
        servers.add(first);
        String runs = spawn(first, wanted("exec sleep 600").onLost(OnLost.END));
        untilRuns(first, runs);
        String waits = spawn(
                first,
                wanted("echo a; echo b").watch(List.of(watch("a", false), watch("b", false), watch("c", false))));
        Death death = death(runs, waits);
        StreamId stream = StreamId.task(waits);
        List<Frame> all = death.frames(stream);
        for (int recorded = 0; recorded <= 3; recorded++) {
            death.put(stream, upTo(all, TaskWatcherAdded.class, recorded));
            RunningEngine second = restart(death);
            List<Frame> frames = second.ended(waits);
            assertEquals(
                    List.of("w1 a", "w2 b", "w3 c"),
                    of(frames, TaskWatcherAdded.class).stream()
                            .map(each -> each.watcherId() + " " + each.regex())
                            .toList());
            assertEquals(List.of(0L, 2L), offsets(of(frames, TaskWatcherHit.class)));
        }
    }

    @Test
    void onlyTheServersUserReadsWhatTheNextRunNeeds() throws Exception {
        RunningEngine first = start();
        String runs = spawn(first, endsInRun(1).environment(Map.of("SHARED", shared.toString(), "SECRET", "hush")));
        String task = spawn(first, endsInRun(2).environment(Map.of("SHARED", shared.toString(), "SECRET", "hush")));
        assertEquals(Outcome.SUCCEEDED, TaskState.fold(first.ended(runs)).outcome());
        untilRuns(first, task);
        Path file = data.resolve("live").resolve(task);
        assertTrue(Files.readString(file).contains("hush"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertNotNull(first.state(task).run().startedAtMs());
    }
}
