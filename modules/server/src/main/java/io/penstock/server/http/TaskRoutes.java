package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Signal;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.failure.HttpLimits;
import io.penstock.server.request.JsonFields;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** What is done to tasks over HTTP, each operation a few lines of translation to {@link TaskApi}; {@link TaskReads} has the rest. */
final class TaskRoutes {

    private final TaskApi tasks;
    private final OnceOnly once;
    private final Actor actor;

    private TaskRoutes(TaskApi tasks, OnceOnly once, Actor actor) {
        this.tasks = tasks;
        this.once = once;
        this.actor = actor;
    }

    /** @param actor who is recorded as having done what is asked for here */
    static void bind(ApiRoutes routes, TaskApi tasks, KeyKeeper keys, Actor actor) {
        var here = new TaskRoutes(tasks, new OnceOnly(keys, actor), actor);
        routes.bind(ApiOperation.SPAWN_TASK, here::spawn)
                .bind(ApiOperation.CANCEL_TASK, here::cancel)
                .bind(ApiOperation.WRITE_STDIN, here::stdin)
                .bind(ApiOperation.RESIZE_TERMINAL, here::resize)
                .bind(ApiOperation.SEND_SIGNAL, here::signal);
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
        Future<?> with(JsonFields body);
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
        return Objects.requireNonNull(request.pathParam("id"));
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

    static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff")
                .end(body.toBuffer());
    }
}
