package io.penstock.server.http;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Signal;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.failure.HttpLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** What there is at {@code /tasks}: the HTTP contract, each route a few lines of translation to {@link TaskApi}. */
public final class TaskRoutes {

    private final TaskApi tasks;
    private final OnceOnly once;
    private final Actor actor;

    private TaskRoutes(TaskApi tasks, OnceOnly once, Actor actor) {
        this.tasks = tasks;
        this.once = once;
        this.actor = actor;
    }

    /** @param actor who is recorded as having done what is asked for here */
    public static void add(Router router, TaskApi tasks, KeyKeeper keys, Actor actor) {
        var routes = new TaskRoutes(tasks, new OnceOnly(keys, actor), actor);
        at(router, "/tasks", Map.of(HttpMethod.GET, routes::list, HttpMethod.POST, routes::spawn));
        at(router, "/tasks/:task", Map.of(HttpMethod.GET, routes::status));
        at(router, "/tasks/:task/events", Map.of(HttpMethod.GET, routes::events));
        at(router, "/tasks/:task/output", Map.of(HttpMethod.GET, routes::output));
        at(router, "/tasks/:task/cancel", Map.of(HttpMethod.POST, routes::cancel));
        at(router, "/tasks/:task/stdin", Map.of(HttpMethod.POST, routes::stdin));
        at(router, "/tasks/:task/resize", Map.of(HttpMethod.POST, routes::resize));
        at(router, "/tasks/:task/signal", Map.of(HttpMethod.POST, routes::signal));
        router.route("/tasks/*").handler(request -> request.fail(404));
    }

    static void at(Router router, String path, Map<HttpMethod, Handler<RoutingContext>> methods) {
        var names =
                new TreeSet<>(methods.keySet().stream().map(HttpMethod::name).toList());
        router.route(path).handler(request -> {
            Handler<RoutingContext> handler = methods.get(request.request().method());
            if (handler == null) {
                request.response().putHeader("allow", String.join(", ", names));
                throw HttpFailure.wrong(
                        405,
                        path.replaceAll(":(task|artifact)", "{id}").replace(":stream", "{stream}") + " takes "
                                + String.join(" and ", names) + ", not "
                                + request.request().method());
            }
            handler.handle(request);
        });
    }

    private void spawn(RoutingContext request) {
        Future<JsonObject> spawned = RequestBody.required(request.vertx(), request.request())
                .compose(body -> once.run(
                        request.request(),
                        body,
                        () -> within(tasks.spawn(SpawnBody.read(body, actor)))
                                .map(taskId -> new JsonObject().put("task_id", taskId))));
        whenDone(request, spawned, answer -> {
            request.response().putHeader("location", "/tasks/" + answer.getString("task_id"));
            answer(request, 201, answer);
        });
    }

    private void list(RoutingContext request) {
        TaskQuery query = ListQuery.read(new QueryFields(request));
        whenDone(request, tasks.list(query), page -> answer(request, 200, TaskJson.list(page)));
    }

    private void status(RoutingContext request) {
        long waitMs = new QueryFields(request).number("wait", 0, HttpLimits.WAIT_MS, 0);
        String taskId = taskId(request);
        whenDone(
                request,
                tasks.state(taskId),
                now -> whenDone(
                        request,
                        EndWait.forEnd(request, tasks, taskId, now, waitMs),
                        state -> answer(request, 200, TaskJson.status(TaskView.of(taskId, state)))));
    }

    private void events(RoutingContext request) {
        var query = new QueryFields(request);
        long fromSeq = query.fromSeq();
        String until = query.textOrNull("until");
        if (until != null && !until.equals("end")) {
            throw JsonFields.wrong("until must be end, but is \"" + JsonFields.shown(until) + "\"");
        }
        String taskId = taskId(request);
        whenDone(
                request,
                tasks.state(taskId),
                state -> EventStream.open(request, tasks, taskId, state, fromSeq, until != null));
    }

    private void output(RoutingContext request) {
        var query = new QueryFields(request);
        String stream = query.textOrNull("stream");
        long offset = query.number("offset_bytes", 0, Limits.WHOLE_NUMBER, 0);
        long asked = query.number("max_bytes", 1, Limits.WHOLE_NUMBER, HttpLimits.OUTPUT_USUAL_BYTES);
        int page = (int) Math.min(asked, HttpLimits.OUTPUT_PAGE_BYTES);
        String taskId = taskId(request);
        whenDone(
                request,
                tasks.state(taskId)
                        .compose(state ->
                                tasks.output(taskId, stream == null ? usual(state) : channel(stream), offset, page)),
                slice -> answer(request, 200, TaskJson.output(taskId, slice)));
    }

    private static Channel usual(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        return spec == null ? Channel.STDOUT : spec.executionMode().channels().getFirst();
    }

    static Channel channel(String word) {
        for (Channel channel : Channel.values()) {
            if (channel.wireName().equals(word)) {
                return channel;
            }
        }
        List<String> known =
                Arrays.stream(Channel.values()).map(Channel::wireName).toList();
        throw JsonFields.wrong(
                "stream must be one of " + String.join(", ", known) + ", but is \"" + JsonFields.shown(word) + "\"");
    }

    private void cancel(RoutingContext request) {
        control(request, RequestBody.optional(request.vertx(), request.request()), body -> {
            body.only(List.of("reason"), "");
            return tasks.cancel(taskId(request), body.textOrNull("reason"), actor);
        });
    }

    private void stdin(RoutingContext request) {
        control(request, RequestBody.required(request.vertx(), request.request()), body -> {
            body.only(List.of("chunk_b64"), "");
            return tasks.stdin(taskId(request), decoded(body.text("chunk_b64", HttpLimits.BODY_BYTES)), actor);
        });
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("chunk_b64 is not base64 (A-Z a-z 0-9 + / and = at its end): " + e.getMessage());
        }
    }

    private void resize(RoutingContext request) {
        control(request, RequestBody.required(request.vertx(), request.request()), body -> {
            body.only(List.of("rows", "cols"), "");
            var size = new TerminalSize((int) body.number("rows", 1, Limits.TERMINAL_CELLS_PER_SIDE), (int)
                    body.number("cols", 1, Limits.TERMINAL_CELLS_PER_SIDE));
            return tasks.resize(taskId(request), size, actor);
        });
    }

    private void signal(RoutingContext request) {
        control(request, RequestBody.required(request.vertx(), request.request()), body -> {
            body.only(List.of("signal"), "");
            String signal = body.text("signal", Limits.TEXT_CHARS);
            try {
                Signal.parse(signal);
            } catch (IllegalArgumentException e) {
                throw JsonFields.wrong(String.valueOf(e.getMessage()));
            }
            return tasks.signal(taskId(request), signal, actor);
        });
    }

    private interface Operation {
        Future<Void> with(JsonFields body);
    }

    private void control(RoutingContext request, Future<JsonFields> body, Operation operation) {
        Future<JsonObject> done = body.compose(fields -> once.run(
                request.request(), fields, () -> within(operation.with(fields)).map(v -> new JsonObject())));
        whenDone(request, done, answer -> answer(request, 202, answer));
    }

    /** Nobody is kept waiting for ever; but what was begun cannot be called back. */
    private static <T> Future<T> within(Future<T> operation) {
        return operation
                .timeout(HttpLimits.OPERATION_SECONDS, TimeUnit.SECONDS)
                .recover(e -> Future.failedFuture(
                        e instanceof TimeoutException
                                ? new Failure(
                                        FailureCode.OUTCOME_UNKNOWN,
                                        "This has not been done within " + HttpLimits.OPERATION_SECONDS
                                                + " seconds; whether it will be, the task's events tell")
                                : e));
    }

    static String taskId(RoutingContext request) {
        return Objects.requireNonNull(request.pathParam("task"));
    }

    /** Goes on where the request lives, for tasks answer from where they live. */
    static <T> void whenDone(RoutingContext request, Future<T> future, Consumer<T> then) {
        Context here = request.vertx().getOrCreateContext();
        future.onComplete(done -> here.runOnContext(v -> {
            if (request.response().closed()) {
                return;
            }
            if (done.failed()) {
                request.fail(done.cause());
                return;
            }
            try {
                then.accept(done.result());
            } catch (RuntimeException e) {
                request.fail(e);
            }
        }));
    }

    private static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff")
                .end(body.toBuffer());
    }
}
