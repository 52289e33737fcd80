package io.penstock.engine.task.record;

import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionEvent;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherHit;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records a task's start, the hits of its watchers and its end in the stream of its session, if it has one. */
public final class TaskSession {

    private static final Logger log = LoggerFactory.getLogger(TaskSession.class);

    private static final long STARTED_WITHIN_MS = 1_000;

    private final SessionApi sessions;
    private final String taskId;
    private Future<?> started = Future.succeededFuture();

    public TaskSession(SessionApi sessions, String taskId) {
        this.sessions = sessions;
        this.taskId = taskId;
    }

    public void recordStart(SpawnSpec spec) {
        String session = spec.originSessionId();
        if (session != null) {
            started = sessions.record(session, new SessionEvent.TaskStarted(taskId, spec))
                    .onFailure(e -> log.error(
                            "The start of task {} is not recorded in its session {}: {}",
                            taskId,
                            session,
                            e.getMessage()));
        }
    }

    /**
     * Completes when the start is recorded, so that a caller finds the session whose task was just accepted; or fails after a second,
     * since a database that is away must not hold up the answer to a spawn.
     */
    public Future<?> started() {
        return started.timeout(STARTED_WITHIN_MS, TimeUnit.MILLISECONDS);
    }

    /** Completes when the hit is a mailbox item, or cannot become one. */
    public Future<?> recordHit(SpawnSpec spec, TaskWatcherHit hit, long seq) {
        String session = spec.originSessionId();
        return session == null
                ? Future.succeededFuture()
                : sessions.record(session, new SessionEvent.WatcherHit(taskId, hit, seq))
                        .onFailure(e -> log.error(
                                "The hit {} of task {} is not recorded in its session {}: {}",
                                seq,
                                taskId,
                                session,
                                e.getMessage()));
    }

    /** Completes when the end is recorded; fails if the next server has to do it. */
    public Future<?> recordEnd(TaskState last) {
        SpawnSpec spec = last.spec();
        String session = spec == null ? null : spec.originSessionId();
        return session == null
                ? Future.succeededFuture()
                : sessions.recordEnd(session, taskId, last)
                        .onFailure(e -> log.error(
                                "The end of task {} is not recorded in its session {}; the next server records it: {}",
                                taskId,
                                session,
                                e.getMessage()));
    }
}
