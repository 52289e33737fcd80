package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.CommandReader;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;

/** The watchers of a task: adds them to a running task, and lists them and their hits. */
record WatcherRoutes(TaskApi tasks, Once once, Actor actor, AnswerBudget budget) {

    /** @param actor is recorded as having added the watchers */
    static void bind(ApiRoutes routes, TaskApi tasks, IdempotencyKeys keys, Actor actor, AnswerBudget budget) {
        var here = new WatcherRoutes(tasks, new Once(keys, actor), actor, budget);
        var watchers = new FoundFramesAnswer(
                budget, "watchers", HttpLimits.WATCHERS_BYTES, tasks::watchers, WatcherRoutes::watcher);
        var hits = new FoundFramesAnswer(budget, "hits", HttpLimits.HITS_BYTES, tasks::hits, WatcherRoutes::hit);
        routes.bind(ApiOperation.ADD_WATCHER, here::add)
                .bind(ApiOperation.LIST_WATCHERS, watchers::send)
                .bind(ApiOperation.LIST_HITS, hits::send);
    }

    private void add(RoutingContext request) {
        String taskId = TaskRoutes.taskId(request);
        var reader = new CommandReader(taskId, actor, List.of(), HttpLimits.BODY_BYTES);
        Future<JsonObject> added = RequestBody.required(budget, request)
                .compose(body -> once.run(
                        TaskRoutes.key(request),
                        TaskRoutes.operation(request),
                        body,
                        () -> TaskRoutes.within(
                                request.vertx(),
                                tasks.apply(reader.read("watch", body))
                                        .compose(seq -> tasks.frames(taskId, Objects.requireNonNull(seq), 1))
                                        .map(page -> watcher(page.frames().getFirst())))));
        TaskRoutes.whenDone(request, added, answer -> TaskRoutes.answer(request, 201, answer));
    }

    private static JsonObject hit(Frame frame) {
        var hit = (TaskWatcherHit) frame.body();
        return new JsonObject()
                .put("seq", frame.seq())
                .put("timestamp_ms", frame.timestampMs())
                .put("watcher_id", hit.watcherId())
                .put("event", hit.event())
                .put("stream", hit.channel().wireName())
                .put("offset_bytes", hit.offset())
                .put("bytes", hit.bytes())
                .put("matched", hit.matched())
                .put("frame_seq", hit.frameSeq());
    }

    private static JsonObject watcher(Frame frame) {
        var watcher = (TaskWatcherAdded) frame.body();
        Channel channel = watcher.channel();
        return new JsonObject()
                .put("watcher_id", watcher.watcherId())
                .put("regex", watcher.regex())
                .put("event", watcher.event())
                .put("stream", channel == null ? null : channel.wireName())
                .put("once", watcher.once())
                .put("scope", watcher.scope().wireName())
                .put("added_by", watcher.actor().toString())
                .put("seq", frame.seq());
    }
}
