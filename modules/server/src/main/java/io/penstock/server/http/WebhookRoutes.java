package io.penstock.server.http;

import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.QueryFields;
import io.penstock.server.webhook.WebhookLimits;
import io.penstock.server.webhook.Webhooks;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The webhooks of sessions over HTTP. Repeating a change has no further effect, so none needs an idempotency key. */
final class WebhookRoutes {

    private final Webhooks webhooks;
    private final Actor actor;
    private final AnswerBudget budget;

    private WebhookRoutes(Webhooks webhooks, Actor actor, AnswerBudget budget) {
        this.webhooks = webhooks;
        this.actor = actor;
        this.budget = budget;
    }

    static void bind(ApiRoutes routes, Webhooks webhooks, Actor actor, AnswerBudget budget) {
        var here = new WebhookRoutes(webhooks, actor, budget);
        routes.bind(ApiOperation.SET_WEBHOOK, here::set)
                .bind(ApiOperation.WEBHOOK_STATUS, request -> answer(request, webhooks.status(id(request))))
                .bind(ApiOperation.REMOVE_WEBHOOK, request -> answer(request, webhooks.remove(id(request), actor)))
                .bind(ApiOperation.LIST_DEAD_LETTERS, here::deadLetters)
                .bind(ApiOperation.RESEND_DEAD_LETTERS, here::resend);
    }

    private void set(RoutingContext request) {
        answer(request, RequestBody.required(budget, request).compose(fields -> {
            fields.only(List.of("url", "secret"), "");
            return webhooks.set(
                    id(request),
                    fields.text("url", WebhookLimits.URL_CHARS),
                    fields.textOrNull("secret", Limits.TEXT_CHARS),
                    actor);
        }));
    }

    private void deadLetters(RoutingContext request) {
        var query = new QueryFields(request);
        long from = query.number("from_seq", 0, Limits.WHOLE_NUMBER, 0);
        int limit = (int) query.number("limit", 1, Limits.PAGE_TASKS, Limits.PAGE_TASKS);
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.LIST,
                (long) limit * HttpLimits.LISTED_TASK_BYTES,
                () -> webhooks.deadLetters(id(request), from, limit),
                (json, answer) -> answer.json(json.toBuffer()));
    }

    private void resend(RoutingContext request) {
        answer(request, RequestBody.optional(budget, request).compose(fields -> {
            fields.only(List.of("item_seq"), "");
            return webhooks.sendAgain(id(request), fields.numberOrNull("item_seq", 0, Limits.WHOLE_NUMBER), actor);
        }));
    }

    private static void answer(RoutingContext request, Future<JsonObject> answer) {
        TaskRoutes.whenDone(request, answer, json -> TaskRoutes.answer(request, 200, json));
    }

    private static String id(RoutingContext request) {
        return TaskRoutes.taskId(request);
    }
}
