package io.penstock.engine.session;

import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.List;

/** Facts about tasks, as their shards record them in sessions. */
final class SessionFacts {

    private static final Actor ALICE = Actor.user("alice");

    private SessionFacts() {}

    static void started(SessionApi sessions, String session, String task) {
        sessions.record(session, new SessionEvent.TaskStarted(task, spec())).await();
    }

    static void ended(SessionApi sessions, String session, String task) {
        sessions.record(session, new SessionEvent.TaskEnded(task, endedState(task)))
                .await();
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
