package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.CommandReader;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SpawnReader;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Commands to tasks over HTTP, each translated to {@link TaskApi} in a few lines; reads are in {@link TaskReads}. */
final class TaskRoutes {

    private final TaskApi tasks;
    private final Once once;
    private final Actor actor;
    private final AnswerBudget budget;

    private TaskRoutes(TaskApi tasks, Once once, Actor actor, AnswerBudget budget) {
        this.tasks = tasks;
        this.budget = budget;
        this.once = once;
        this.actor = actor;
    }

    /** @param actor recorded as the author of commands */
    static void bind(ApiRoutes routes, TaskApi tasks, IdempotencyKeys keys, Actor actor, AnswerBudget budget) {
        var here = new TaskRoutes(tasks, new Once(keys, actor), actor, budget);
        routes.bind(ApiOperation.SPAWN_TASK, here::spawn)
                .bind(ApiOperation.CANCEL_TASK, here.command("cancel"))
                .bind(ApiOperation.WRITE_STDIN, here.command("stdin"))
                .bind(ApiOperation.RESIZE_TERMINAL, here.command("resize"))
                .bind(ApiOperation.SEND_SIGNAL, here.command("signal"))
                .bind(ApiOperation.PIN_TASK, request -> here.pin(request, true))
                .bind(ApiOperation.UNPIN_TASK, request -> here.pin(request, false));
    }

    private void spawn(RoutingContext request) {
        Future<JsonObject> spawned = RequestBody.required(budget, request)
                .compose(body -> once.run(
                        key(request),
                        operation(request),
                        body,
                        () -> within(request.vertx(), tasks.spawn(SpawnReader.read(body, actor)))
                                .map(taskId -> new JsonObject().put("task_id", taskId))));
        whenDone(request, spawned, answer -> {
            request.response().putHeader("location", "/tasks/" + answer.getString("task_id"));
            answer(request, 201, answer);
        });
    }

    /** Repeating it changes nothing, so it needs no key. */
    private void pin(RoutingContext request, boolean pinned) {
        var command = new TaskCommand.Pin(taskId(request), pinned, actor);
        whenDone(
                request,
                within(request.vertx(), tasks.apply(command).map(seq -> true)),
                done -> request.response().setStatusCode(204).end());
    }

    private Handler<RoutingContext> command(String type) {
        return request -> command(request, type, once, tasks, actor, budget);
    }

    /** Applies the command of this type that the request's body describes. */
    static void command(
            RoutingContext request, String type, Once once, TaskApi tasks, Actor actor, AnswerBudget budget) {
        var reader = new CommandReader(taskId(request), actor, List.of(), HttpLimits.BODY_BYTES);
        // A cancel needs no field.
        Future<RequestFields> body =
                type.equals("cancel") ? RequestBody.optional(budget, request) : RequestBody.required(budget, request);
        Future<JsonObject> done = body.compose(fields -> once.run(
                key(request),
                operation(request),
                fields,
                () -> within(
                        request.vertx(), tasks.apply(reader.read(type, fields)).map(seq -> new JsonObject()))));
        whenDone(request, done, answer -> answer(request, 202, answer));
    }

    static @Nullable String key(RoutingContext request) {
        return request.request().getHeader("idempotency-key");
    }

    static String operation(RoutingContext request) {
        return request.request().method() + " " + request.request().path();
    }

    /** Answers after a timeout at the latest. The operation itself is not cancelled. */
    static <T> Future<T> within(Vertx vertx, Future<T> operation) {
        Promise<T> done = Promise.promise();
        long timer = vertx.setTimer(
                TimeUnit.SECONDS.toMillis(HttpLimits.OPERATION_SECONDS),
                late -> done.tryFail(new Failure(
                        FailureCode.OUTCOME_UNKNOWN,
                        "The operation was not completed within " + HttpLimits.OPERATION_SECONDS
                                + " seconds; the task's events will show whether it was applied")));
        operation.onComplete(
                result -> {
                    vertx.cancelTimer(timer);
                    done.tryComplete(result);
                },
                why -> {
                    vertx.cancelTimer(timer);
                    done.tryFail(why);
                });
        return done.future();
    }

    static String taskId(RoutingContext request) {
        return Objects.requireNonNull(request.pathParam("id"));
    }

    /** Continues on the request's context, because futures of tasks complete on the context of their shard. */
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
        answer(request, status, body.toBuffer());
    }

    static void answer(RoutingContext request, int status, Buffer json) {
        AnswerHeaders.json(request.response()).setStatusCode(status).end(json);
    }
}
