package io.penstock.server.http;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Ending;
import io.penstock.server.budget.BytesInFlight;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.TaskJson;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of a list of tasks as server-sent events, gathered for a moment: rows that have changed, and the ids of those that no longer
 * match. The feed tells a slow client to read the list again. Lives on the request's context.
 */
final class TaskFeed {

    private static final Logger log = LoggerFactory.getLogger(TaskFeed.class);

    /** A list changes at most this often, however fast tasks write. */
    private static final long GATHERED_MS = 500;

    private static final Buffer READ_AGAIN = Buffer.buffer("data: {\"read_again\":true}\n\n");

    private final RoutingContext request;
    private final HttpServerResponse response;
    private final TaskApi tasks;
    private final LastLines lines;
    private final TaskQuery query;
    private final ChangedTasks.Follower changes;
    private final boolean untilNext;
    private final BytesInFlight underWay = new BytesInFlight(() -> {});
    private long heartbeat = -1;
    private long timer = -1;
    private Runnable closed = () -> {};
    private boolean isReading;
    private boolean over;

    private TaskFeed(
            RoutingContext request,
            TaskApi tasks,
            LastLines lines,
            TaskQuery query,
            ChangedTasks.Follower changes,
            boolean untilNext) {
        this.untilNext = untilNext;
        this.request = request;
        this.response = request.response();
        this.tasks = tasks;
        this.lines = lines;
        this.query = query;
        this.changes = changes;
    }

    /** @param untilNext whether to close after the next event */
    static void open(
            RoutingContext request,
            TaskApi tasks,
            LastLines lines,
            TaskQuery query,
            ChangedTasks.Follower changes,
            boolean untilNext) {
        new TaskFeed(request, tasks, lines, query, changes, untilNext).start();
    }

    private void start() {
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        Context here = request.vertx().getOrCreateContext();
        closed = Guard.closeOnSignOut(request, () -> here.runOnContext(v -> signedOut()));
        changes.onEnd(() -> here.runOnContext(v -> end()));
        EventStream.head(response);
        heartbeat = request.vertx().setPeriodic(EventStream.HEARTBEAT_MS, beat -> {
            if (!underWay.isFull()) {
                response.write(EventStream.HEARTBEAT);
            }
        });
        timer = request.vertx().setPeriodic(GATHERED_MS, due -> tell(here));
    }

    private void tell(Context here) {
        if (over || isReading || underWay.isFull()) {
            return;
        }
        if (changes.takeBehind()) {
            write(READ_AGAIN);
            return;
        }
        Map<String, Boolean> changed = changes.take(HttpLimits.FEED_TASKS);
        boolean sessions = changes.takeSessions();
        if (changed.isEmpty() && !sessions) {
            return;
        }
        isReading = true;
        var rows = new JsonArray();
        var gone = new JsonArray();
        List<Future<?>> read = new ArrayList<>();
        changed.forEach((taskId, state) -> read.add(row(taskId)
                .onSuccess(row -> here.runOnContext(v -> {
                    if (row != null) {
                        rows.add(row);
                    } else if (state) {
                        gone.add(taskId);
                    }
                }))));
        Future.join(read)
                .onComplete(done -> here.runOnContext(v -> {
                    isReading = false;
                    if (!over && (!rows.isEmpty() || !gone.isEmpty() || sessions)) {
                        var event = new JsonObject()
                                .put("tasks", rows)
                                .put("gone", gone)
                                .put("sessions", sessions);
                        write(Buffer.buffer("data: ")
                                .appendBuffer(event.toBuffer())
                                .appendString("\n\n"));
                    }
                }));
    }

    /** Null if the task does not match the list. */
    private Future<@Nullable JsonObject> row(String taskId) {
        return tasks.state(taskId).compose(state -> {
            TaskView task = TaskView.of(taskId, state);
            Ending ending = task.ending();
            return !(state.cleared() && query.withoutCleared())
                            && query.matches(
                                    task.asked(), taskId, task.phase(), ending == null ? null : ending.outcome())
                    ? lines.of(task).map(line -> TaskJson.row(task, line))
                    : Future.succeededFuture();
        });
    }

    private void write(Buffer event) {
        underWay.add(event.length(), response.write(event));
        if (untilNext) {
            end();
        }
    }

    private void end() {
        if (!over) {
            stop();
            response.end();
        }
    }

    /** As in {@link EventStream}. */
    private void signedOut() {
        if (!over) {
            log.debug("A list of tasks is no longer followed: its browser has signed out");
            stop();
            response.write(EventStream.SIGNED_OUT).onComplete(written -> response.reset());
        }
    }

    private void stop() {
        over = true;
        closed.run();
        changes.stop();
        request.vertx().cancelTimer(heartbeat);
        request.vertx().cancelTimer(timer);
    }
}
