package io.penstock.server.tools.agents;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionPage;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.SessionEnded;
import io.penstock.frames.SessionStarted;
import io.penstock.frames.SessionTaskStarted;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the background tasks of sessions that have ended, some time after the session and its last task have: nobody asks for their results
 * any more. A session in which a caller has started a task since is not one of these. One sweep runs at a time.
 */
public final class OrphanedTasks {

    private static final Logger log = LoggerFactory.getLogger(OrphanedTasks.class);

    private static final long LONGEST_PAUSE_MS = TimeUnit.HOURS.toMillis(1);

    /** Frames of a session that are searched for its end: the ends of its last tasks may follow that. */
    private static final int SEARCHED_FRAMES = 1_000;

    /** Sessions that are remembered as dealt with, up to a frame: 10 MiB. One that is forgotten is looked at again. */
    private static final int REMEMBERED_SESSIONS = 100_000;

    private static final int PAGE_SESSIONS = 100;

    private final Vertx vertx;
    private final TaskApi tasks;
    private final AgentApi agents;
    private final SessionApi sessions;
    private final long keptMs;
    private final LongSupplier clockMs;
    private final Map<String, Long> done = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED_SESSIONS;
        }
    };
    private volatile long timer = -1;
    private volatile boolean stopped;

    /** @param keptMs how long tasks are kept after the newest event of their session */
    public OrphanedTasks(
            Vertx vertx, TaskApi tasks, AgentApi agents, SessionApi sessions, long keptMs, LongSupplier clockMs) {
        this.vertx = vertx;
        this.tasks = tasks;
        this.agents = agents;
        this.sessions = sessions;
        this.keptMs = keptMs;
        this.clockMs = clockMs;
    }

    /** Looks for them now, and then again and again. */
    public void start() {
        sweep().onFailure(e -> log.info("Tasks of ended sessions are cleared later: {}", e.getMessage()))
                .onComplete(swept -> {
                    if (!stopped) {
                        timer = vertx.setTimer(Math.min(keptMs, LONGEST_PAUSE_MS), again -> start());
                    }
                });
    }

    public void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
    }

    /** Completes when all that is due is cleared. */
    public Future<Void> sweep() {
        var page = new Object() {
            @Nullable
            TaskCursor after;
        };
        return AsyncLoop.of(() -> sessions.list(page.after, PAGE_SESSIONS).compose(found -> {
            page.after = found.next();
            return each(found.sessions().stream().filter(this::mayBeDue).toList(), this::clear)
                    .map(cleared -> page.after != null);
        }));
    }

    private boolean mayBeDue(SessionPage.Entry session) {
        return session.lastAtMs() <= clockMs.getAsLong() - keptMs
                && session.state().progress().tasksEnded() > 0
                && done.getOrDefault(session.state().sessionId(), -1L)
                        < session.state().nextSeq();
    }

    private Future<Void> clear(SessionPage.Entry session) {
        String id = session.state().sessionId();
        long nextSeq = session.state().nextSeq();
        return isOrphaned(id, nextSeq)
                .compose(orphaned -> orphaned ? clearTasks(id) : Future.<Void>succeededFuture())
                .onSuccess(cleared -> done.put(id, nextSeq));
    }

    /** Whether its end is newer than its last use; the end of a task is no use of it. */
    private Future<Boolean> isOrphaned(String sessionId, long nextSeq) {
        var found = new Object() {
            long next = Math.max(0, nextSeq - SEARCHED_FRAMES);
            boolean ended;
        };
        return AsyncLoop.of(() -> sessions.frames(sessionId, found.next, Limits.PAGE_FRAMES)
                        .map(page -> {
                            for (Frame frame : page.frames()) {
                                found.ended = switch (frame.body()) {
                                    case SessionEnded _ -> true;
                                    case SessionTaskStarted _ -> false;
                                    case SessionStarted started ->
                                        found.ended && started.actor().equals(Actor.SERVER);
                                    default -> found.ended;
                                };
                            }
                            found.next = page.nextSeq();
                            return !page.frames().isEmpty();
                        }))
                .map(read -> found.ended);
    }

    private Future<Void> clearTasks(String sessionId) {
        var here = new SessionTasks(tasks, sessionId);
        var page = new Object() {
            @Nullable
            TaskQuery next = here.endedOf(TaskStatusTool.BACKGROUND_TOOLS);
        };
        return AsyncLoop.of(() -> {
            TaskQuery query = page.next;
            if (query == null) {
                return Future.succeededFuture(false);
            }
            return tasks.list(query).compose(found -> {
                TaskCursor after = found.next();
                page.next = after == null ? null : query.from(after);
                return each(
                                found.tasks().stream()
                                        .filter(task -> TaskStatusTool.isBackground(task) && !task.pinned())
                                        .toList(),
                                this::clear)
                        .map(cleared -> true);
            });
        });
    }

    private Future<Void> clear(TaskView task) {
        return agents.clear(task.taskId(), Actor.SERVER).recover(e -> {
            if (e instanceof Failure) {
                // It was removed or resumed meanwhile.
                log.info("The task {} of an ended session is not cleared: {}", task.taskId(), e.getMessage());
                return Future.succeededFuture();
            }
            return Future.failedFuture(e);
        });
    }

    private interface Step<T> {
        Future<Void> of(T element);
    }

    /** One after the other: nobody waits for it. */
    private static <T> Future<Void> each(List<T> all, Step<T> step) {
        var left = new ArrayDeque<>(all);
        return AsyncLoop.of(() -> {
            T next = left.poll();
            return next == null ? Future.succeededFuture(false) : step.of(next).map(done -> true);
        });
    }
}
