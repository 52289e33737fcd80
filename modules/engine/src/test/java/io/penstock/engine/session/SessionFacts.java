package io.penstock.engine.session;

import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Facts about tasks, as their shards record them in sessions. */
final class SessionFacts {

    private static final Actor ALICE = Actor.user("alice");

    private SessionFacts() {}

    static void started(SessionApi sessions, String session, String task) {
        sessions.record(session, new SessionEvent.TaskStarted(task, spec())).await();
    }

    static void ended(SessionApi sessions, String session, String task) {
        recordEnd(sessions, session, task).await();
    }

    static Future<?> recordEnd(SessionApi sessions, String session, String task) {
        return sessions.record(session, new SessionEvent.TaskEnded(task, endedState(task)));
    }

    /** Records the end of a run of an agent, which settled with this result. */
    static void agentEnded(SessionApi sessions, String session, TaskState last) {
        sessions.recordOnce(session, new SessionEvent.TaskEnded("agent", last)).await();
    }

    /** An agent that has settled with this result, and ended, in each of its runs. */
    static TaskState agent(boolean notifies, int runs, String result) {
        StreamId stream = StreamId.task("agent");
        ToolTaskSpawned plain = spec();
        var frames = new ArrayList<FrameBody>();
        frames.add(new ToolTaskSpawned(
                "task_spawn",
                plain.args(),
                null,
                "a title",
                ExecutionMode.PIPES,
                "s",
                plain.logs(),
                null,
                null,
                ALICE,
                null,
                new TaskLabel("drokova-research"),
                null,
                null,
                null,
                true,
                new TaskLinks(null, 0, null, notifies, null),
                new AgentSpec("coder", AgentSpec.Protocol.ACP, null, null, AgentSpec.AfterTurn.END)));
        for (int run = 1; run <= runs; run++) {
            if (run > 1) {
                frames.add(new TaskRunStarted(run, TaskRunStarted.Kind.RESUME, ALICE));
            }
            frames.add(ToolTaskStatus.running(1_000));
            frames.add(new TaskTurnStarted(run, TaskTurnStarted.Kind.PROMPT, "search", null, ALICE));
            frames.add(new TaskTurnSettled(run, "end_turn", result));
            frames.add(new ToolTaskStatus(
                    Phase.ENDED,
                    new Ending(Outcome.SUCCEEDED, null, null),
                    1_000L,
                    155_000L,
                    List.of(),
                    null,
                    null,
                    Cause.EXIT,
                    Actor.SERVER));
        }
        return TaskState.fold(IntStream.range(0, frames.size())
                .mapToObj(seq -> new Frame(stream, seq, 155_000, frames.get(seq)))
                .toList());
    }

    static ToolTaskSpawned spec() {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"true\"}"),
                null,
                null,
                ExecutionMode.PIPES,
                "s",
                List.of(
                        new LogRef(Channel.STDOUT, "t.stdout", "d/t.stdout"),
                        new LogRef(Channel.STDERR, "t.stderr", "d/t.stderr")),
                null,
                null,
                ALICE);
    }

    private static TaskState endedState(String task) {
        StreamId stream = StreamId.task(task);
        return TaskState.fold(List.of(
                new Frame(stream, 0, 1, spec()),
                new Frame(stream, 1, 2, ToolTaskStatus.running(2)),
                new Frame(
                        stream,
                        2,
                        4,
                        new ToolTaskStatus(
                                Phase.ENDED,
                                Ending.exit(0),
                                2L,
                                4L,
                                List.of(),
                                null,
                                null,
                                Cause.EXIT,
                                Actor.REAPER))));
    }
}
