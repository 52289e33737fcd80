package io.penstock.server.http;

import io.penstock.frames.Actor;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.ToolCall;
import io.penstock.server.tools.ToolCatalog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tools over HTTP: which there are, and a call of one. */
final class ToolRoutes {

    private static final Logger log = LoggerFactory.getLogger(ToolRoutes.class);

    private static final int OK = 200;

    private final ToolCatalog tools;
    private final Once once;
    private final Actor actor;
    private final AnswerBudget budget;

    private ToolRoutes(ToolCatalog tools, Once once, Actor actor, AnswerBudget budget) {
        this.tools = tools;
        this.budget = budget;
        this.once = once;
        this.actor = actor;
    }

    /** @param actor recorded as the caller */
    static void bind(ApiRoutes routes, ToolCatalog tools, IdempotencyKeys keys, Actor actor, AnswerBudget budget) {
        var here = new ToolRoutes(tools, new Once(keys, actor), actor, budget);
        Buffer list = tools.list().toBuffer();
        routes.bind(ApiOperation.LIST_TOOLS, request -> TaskRoutes.answer(request, 200, list))
                .bind(ApiOperation.CALL_TOOL, here::call);
    }

    /** A call and the body that it was read from, which identifies repeats of it. */
    private record Asked(ToolCall call, RequestFields body) {}

    private void call(RoutingContext request) {
        String name = Objects.requireNonNull(request.pathParam("name"));
        Promise<Void> answered = Promise.promise();
        request.addEndHandler(ended -> {
            if (ended.succeeded() && request.response().getStatusCode() == OK) {
                answered.tryComplete();
            } else {
                answered.tryFail("the caller got no answer of the tool");
            }
        });
        Future<Asked> asked = RequestBody.required(budget, request)
                .map(body -> new Asked(tools.read(name, body, actor), body))
                .compose(it -> keptOpen(request, it.call().ready(answered.future()))
                        .map(ready -> new Asked(ready, it.body())));
        TaskRoutes.whenDone(
                request,
                asked,
                it -> LongAnswer.prepare(
                        budget,
                        request,
                        it.call().tool().runs(it.call()) ? AnswerBudget.Kind.RUN : AnswerBudget.Kind.OUTPUT,
                        it.call().answerBytes(),
                        () -> keptOpen(request, run(request, it)),
                        (result, answer) -> answer.json(result.toBuffer())));
    }

    private static <T> Future<T> keptOpen(RoutingContext request, Future<T> lasting) {
        long timer = request.vertx().setPeriodic(HttpLimits.WAIT_MS / 2, longer -> keepOpen(request.response()));
        return lasting.onComplete(done -> request.vertx().cancelTimer(timer));
    }

    /**
     * The connection of a call that lasts would be closed as idle. JSON may begin with white space; an informational answer (1xx) breaks some
     * clients. What fails after that can only end the connection.
     */
    private static void keepOpen(HttpServerResponse response) {
        if (response.closed() || response.ended()) {
            return;
        }
        if (!response.headWritten()) {
            AnswerHeaders.json(response).setChunked(true);
        }
        response.write(" ").onFailure(closed -> log.debug("A caller has gone: {}", closed.getMessage()));
    }

    /** A read-only call needs no key, and its answer may be larger than one that is kept for repeats. */
    private Future<JsonObject> run(RoutingContext request, Asked asked) {
        return asked.call().tool().readOnly(asked.call())
                ? tools.run(asked.call())
                : once.run(
                        TaskRoutes.key(request),
                        TaskRoutes.operation(request),
                        asked.body(),
                        () -> tools.run(asked.call()));
    }
}
