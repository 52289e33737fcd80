package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.engine.pump.Wanted.program;
import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every task ends, whatever happens at its end, and its last frames are true. */
@Tag("CONTAINED")
@Tag("long")
class EndingTruthTest {

    @TempDir
    Path folder;

    @Test
    void allSurvivorsOfTaskAreNamed() throws Exception {
        try (var engine = new RunningEngine(folder)) {
            String task = engine.spawn(bash(
                    "for i in {1..300}; do (sleep 61 >/dev/null 2>&1 & echo $!); done; exit 0", ExecutionMode.PIPES));
            List<Frame> frames = engine.ended(task);
            String[] pids = new String(engine.stored(task, Channel.STDOUT), StandardCharsets.US_ASCII).split("\n");
            for (String pid : pids) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
            assertEquals(300, pids.length);
            assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
            String notice = notice(frames, "still_alive");
            String named = notice.replaceAll(".*?sleep \\(pid (\\d+)\\).*", "$1");
            assertTrue(List.of(pids).contains(named), notice);
            assertTrue(notice.endsWith(" and 200 more"), notice);
        }
    }

    @Test
    void detachedProcessOfCancelledTaskIsKilled() throws Exception {
        try (var engine = new RunningEngine(folder)) {
            String task = engine.spawn(bash(
                    "(trap '' TERM HUP; sleep 62 & echo $!; wait) & trap 'exit 0' TERM; wait; wait",
                    ExecutionMode.PIPES));
            engine.until(task, f -> f.body() instanceof ToolTaskOutputDelta);
            await(engine.tasks.apply(new TaskCommand.Cancel(task, null, Actor.user("tester"))));
            List<Frame> frames = engine.ended(task);
            assertEquals(Outcome.CANCELLED, TaskState.fold(frames).outcome());
            long pid =
                    Long.parseLong(new String(engine.stored(task, Channel.STDOUT), StandardCharsets.US_ASCII).strip());
            var detached = ProcessHandle.of(pid);
            if (detached.isPresent()) {
                detached.get().onExit().get(10, TimeUnit.SECONDS);
            }
        }
    }

    /** Its number is printed when it has closed the task's output, which ends the substitution. */
    private static final String DAEMON =
            "echo $(setsid bash -c 'trap \"\" TERM HUP; echo $$; exec sleep 64 </dev/null 2>/dev/null >/dev/null' &) ; ";

    /** A daemon: not a known child, in a session of its own, with none of the task's descriptors open. */
    @Test
    void daemonOfEndedTaskIsNamed() {
        try (var engine = new RunningEngine(folder)) {
            String task = engine.spawn(bash(DAEMON + "exit 0", ExecutionMode.PIPES));
            List<Frame> frames = engine.ended(task);
            ProcessHandle daemon = daemon(engine, task);
            String notice = notice(frames, "still_alive");
            assertTrue(notice.endsWith(" (pid " + daemon.pid() + ")"), notice);
            assertTrue(daemon.isAlive());
            assertEquals(Outcome.SUCCEEDED, TaskState.fold(frames).outcome());
            String next = engine.spawn(bash("true", ExecutionMode.PIPES));
            assertFalse(
                    engine.ended(next).stream().anyMatch(frame -> frame.body() instanceof TaskNotice),
                    "it is another task's");
            daemon.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void daemonOfStoppedTaskIsKilled(ExecutionMode mode) throws Exception {
        try (var engine = new RunningEngine(folder)) {
            String cancelled = engine.spawn(bash(DAEMON + "sleep 60", mode));
            String late = engine.spawn(bash(DAEMON + "sleep 60", mode).within(Duration.ofMillis(700)));
            engine.until(cancelled, f -> f.body() instanceof ToolTaskOutputDelta);
            await(engine.tasks.apply(new TaskCommand.Cancel(cancelled, null, Actor.user("tester"))));
            for (String task : List.of(cancelled, late)) {
                List<Frame> frames = engine.ended(task);
                assertFalse(frames.stream()
                        .anyMatch(f -> f.body() instanceof TaskNotice notice
                                && notice.code().equals("still_alive")));
                byte[] pid = engine.stored(task, mode.channels().getFirst());
                if (pid.length == 0) {
                    assertEquals(late, task, "only its time may be up before its daemon runs");
                    continue;
                }
                var daemon = ProcessHandle.of(Long.parseLong(new String(pid, StandardCharsets.US_ASCII).strip()));
                if (daemon.isPresent()) {
                    // It was killed, but may not have been reaped yet.
                    daemon.get().onExit().get(20, TimeUnit.SECONDS);
                }
            }
        }
    }

    private static ProcessHandle daemon(RunningEngine engine, String task) {
        String pid = new String(engine.stored(task, Channel.STDOUT), StandardCharsets.US_ASCII).strip();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    @Test
    void longErrorIsCutToFrameLimit() {
        try (var engine = new RunningEngine(folder)) {
            String task = engine.spawn(program(ExecutionMode.PIPES, "/no/" + "x".repeat(3 * Limits.TEXT_CHARS)));
            var last = (ToolTaskStatus) engine.ended(task).getLast().body();
            assertEquals(Ending.failed(), last.ending());
            assertTrue(Objects.requireNonNull(last.error()).endsWith("…"), last.error());
        }
    }

    @Test
    void shutdownEndsAllTasksAndStartsNoOther() throws Exception {
        try (var engine = new RunningEngine(folder)) {
            List<String> tasks = new ArrayList<>();
            for (ExecutionMode mode : ExecutionMode.values()) {
                tasks.add(engine.spawn(bash("sleep 60", mode)));
                tasks.add(engine.spawn(bash("while :; do echo busy; done", mode)));
                tasks.add(engine.spawn(bash("trap '' TERM; echo deaf; while :; do sleep 0.1; done", mode)));
            }
            for (String task : tasks) {
                engine.until(task, f -> f.seq() == 2);
            }
            engine.stop();
            for (String task : tasks) {
                TaskState state = TaskState.fold(engine.ended(task));
                assertEquals(Outcome.CANCELLED, state.outcome());
                assertEquals(Cause.SHUTDOWN, state.run().cause());
            }
            assertThrows(Failure.class, () -> engine.spawn(bash("sleep 60", ExecutionMode.PIPES)));
        }
        try (Stream<Path> live = Files.list(folder.resolve("live"))) {
            assertEquals(List.of(), live.toList());
        }
    }

    @Test
    void unrecordedEndIsRecordedByNextStart() throws Exception {
        String task;
        MemoryFrameLog[] log = new MemoryFrameLog[1];
        try (var engine = new RunningEngine(folder, vertx -> log[0] = new MemoryFrameLog(vertx))) {
            task = engine.spawn(bash("echo $$; exec sleep 60", ExecutionMode.PIPES));
            engine.until(task, f -> f.body() instanceof ToolTaskOutputDelta);
            await(log[0].close());
            assertThrows(
                    Failure.class,
                    () -> finished(engine.tasks.apply(new TaskCommand.Cancel(task, null, Actor.user("tester")))));
            engine.stop();
            long pid =
                    Long.parseLong(new String(engine.stored(task, Channel.STDOUT), StandardCharsets.US_ASCII).strip());
            assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        }
        assertTrue(
                Files.exists(folder.resolve("live").resolve(task)), "without its file it would not be ended as lost");
    }

    @Test
    void emptyLiveFileDoesNotPreventStart() throws Exception {
        Files.createDirectories(folder.resolve("live"));
        Files.write(folder.resolve("live").resolve("t-1"), new byte[40]);
        Files.write(folder.resolve("live").resolve(".not a task"), new byte[0]);
        try (var engine = new RunningEngine(folder)) {
            assertEquals(
                    Outcome.SUCCEEDED,
                    TaskState.fold(engine.ended(engine.spawn(bash("true", ExecutionMode.PTY))))
                            .outcome());
            // Lost tasks are ended while the engine serves.
            engine.stop();
        }
        assertFalse(Files.exists(folder.resolve("live").resolve("t-1")));
    }

    @Test
    void orphanOfUnknownSessionIsFoundByItsMark() throws Exception {
        Files.createDirectories(folder.resolve("live"));
        Files.createFile(folder.resolve("live").resolve("t-dead"));
        var builder = new ProcessBuilder("setsid", "--wait", "sleep", "63");
        builder.environment().put("PENSTOCK_TASK_ID", "t-dead");
        Process daemon = builder.start();
        builder.environment().put("PENSTOCK_TASK_ID", "t-dead-2");
        Process stranger = builder.start();
        try (var engine = new RunningEngine(folder)) {
            assertTrue(daemon.waitFor(10, TimeUnit.SECONDS), "it lives on");
            assertTrue(stranger.isAlive());
            assertEquals(List.of(), await(engine.tasks.list(TaskQuery.NEWEST)).tasks());
        } finally {
            stranger.descendants().forEach(ProcessHandle::destroyForcibly);
            stranger.destroyForcibly();
        }
    }

    @Test
    void taskContinuesOnFullDiskAndNamesMissingBytes() throws Exception {
        Path small = Files.createDirectory(folder.resolve("artifacts"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()), "no tmpfs here");
        try (var engine = new RunningEngine(folder)) {
            String task = engine.spawn(bash("head -c 3000000 /dev/zero; echo told >&2; exit 4", ExecutionMode.PIPES));
            List<Frame> frames = engine.ended(task);
            TaskState state = TaskState.fold(frames);
            assertEquals(Phase.ENDED, state.phase());
            assertEquals(Ending.exit(4), state.run().ending());
            assertEquals(3_000_000, state.output().stdoutTotal());
            var gap = (ToolTaskOutputGap) frames.stream()
                    .map(Frame::body)
                    .filter(ToolTaskOutputGap.class::isInstance)
                    .findFirst()
                    .orElseThrow();
            assertTrue(gap.offset() <= 1 << 20);
            assertEquals(3_000_000, gap.end());
            assertEquals(gap.offset(), state.run().logs().getFirst().bytesStored());
            assertEquals(5, state.output().total(Channel.STDERR));
            String why = Objects.requireNonNull(state.run().logs().getFirst().error());
            assertTrue(why.contains("No space left on device"), why);
            assertTrue(notice(frames, "output_not_stored").contains("No space left on device"));
        } finally {
            run("umount", small.toString());
        }
    }

    private static boolean run(String... command) throws Exception {
        var quiet = ProcessBuilder.Redirect.DISCARD;
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(quiet)
                        .start()
                        .waitFor()
                == 0;
    }

    private static String notice(List<Frame> frames, String code) {
        return frames.stream()
                .map(Frame::body)
                .filter(body ->
                        body instanceof TaskNotice notice && notice.code().equals(code))
                .map(body -> ((TaskNotice) body).message())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + code + " in " + frames));
    }
}
