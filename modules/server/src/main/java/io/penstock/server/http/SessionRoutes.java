package io.penstock.server.http;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SessionJson;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sessions and their mailboxes over HTTP. */
final class SessionRoutes {

    private final SessionApi sessions;
    private final TaskApi tasks;
    private final Once once;
    private final Actor actor;
    private final AnswerBudget budget;

    private SessionRoutes(SessionApi sessions, TaskApi tasks, Once once, Actor actor, AnswerBudget budget) {
        this.sessions = sessions;
        this.tasks = tasks;
        this.budget = budget;
        this.once = once;
        this.actor = actor;
    }

    /** @param actor is recorded as having acknowledged and ended */
    static void bind(
            ApiRoutes routes,
            SessionApi sessions,
            TaskApi tasks,
            IdempotencyKeys keys,
            Actor actor,
            AnswerBudget budget) {
        var here = new SessionRoutes(sessions, tasks, new Once(keys, actor), actor, budget);
        routes.bind(ApiOperation.LIST_SESSIONS, here::list)
                .bind(ApiOperation.SESSION_STATUS, here::status)
                .bind(ApiOperation.SESSION_EVENTS, here::events)
                .bind(ApiOperation.END_SESSION, here::end)
                .bind(ApiOperation.READ_MAILBOX, here::mailbox)
                .bind(ApiOperation.ACKNOWLEDGE_MAILBOX, here::acknowledge);
    }

    private void list(RoutingContext request) {
        var query = new QueryFields(request);
        int limit = (int) query.number("limit", 1, Limits.PAGE_TASKS, Limits.PAGE_TASKS);
        TaskCursor after = cursor(query.textOrNull("cursor"));
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.LIST,
                (long) limit * HttpLimits.LISTED_SESSION_BYTES,
                () -> sessions.list(after, limit),
                (page, answer) -> {
                    TaskCursor next = page.next();
                    if (next != null) {
                        request.response()
                                .putHeader(
                                        "link",
                                        "</sessions?limit=" + limit + "&cursor=" + next.text() + ">; rel=\"next\"");
                    }
                    answer.json(SessionJson.list(page).toBuffer());
                });
    }

    private static @Nullable TaskCursor cursor(@Nullable String text) {
        try {
            return text == null ? null : TaskCursor.parse(text);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("cursor cannot be used: " + e.getMessage());
        }
    }

    private void status(RoutingContext request) {
        TaskRoutes.whenDone(request, sessions.state(sessionId(request)), state -> answer(request, state));
    }

    private static void answer(RoutingContext request, SessionState state) {
        TaskRoutes.answer(request, 200, SessionJson.status(state));
    }

    private void events(RoutingContext request) {
        var query = new QueryFields(request);
        long fromSeq = query.fromSeq();
        String until = query.textOrNull("until");
        if (until != null && !until.equals("now")) {
            throw RequestFields.wrong("until must be now, but is \"" + RequestFields.shown(until) + "\"");
        }
        String id = sessionId(request);
        TaskRoutes.whenDone(request, sessions.state(id), state -> {
            if (fromSeq > state.nextSeq()) {
                throw RequestFields.wrong("The session " + id + " has no frame " + (fromSeq - 1)
                        + " to continue after; its next is " + state.nextSeq());
            }
            SessionEvents.open(
                    request, sessions.follow(id, fromSeq), fromSeq, until == null ? Long.MAX_VALUE : state.nextSeq());
        });
    }

    private void end(RoutingContext request) {
        String id = sessionId(request);
        var ended = RequestBody.optional(budget, request)
                .compose(fields -> once.run(TaskRoutes.key(request), TaskRoutes.operation(request), fields, () -> {
                    fields.only(List.of("reason"), "");
                    return sessions.end(id, fields.textOrNull("reason"), actor).map(SessionJson::status);
                }));
        TaskRoutes.whenDone(request, ended, answer -> TaskRoutes.answer(request, 200, answer));
    }

    private void acknowledge(RoutingContext request) {
        String id = sessionId(request);
        var acknowledged = RequestBody.required(budget, request).compose(fields -> {
            fields.only(List.of("through_seq"), "");
            return sessions.acknowledge(id, fields.number("through_seq", 0, Limits.WHOLE_NUMBER), actor);
        });
        // Acknowledging again changes nothing, so this needs no idempotency key.
        TaskRoutes.whenDone(request, acknowledged, state -> answer(request, state));
    }

    private void mailbox(RoutingContext request) {
        var query = new QueryFields(request);
        long waitMs = query.number("wait", 0, HttpLimits.WAIT_MS, 0);
        long from = query.number("from_seq", 0, Limits.WHOLE_NUMBER, -1);
        int limit = (int) query.number("limit", 1, Limits.PAGE_TASKS, Limits.PAGE_TASKS);
        boolean snippets = query.flagOrFalse("snippet");
        var page = new MailboxPage(
                sessionId(request),
                snippets ? Math.min(limit, HttpLimits.SNIPPET_ITEMS) : limit,
                snippets,
                System.nanoTime() + waitMs * 1_000_000);
        TaskRoutes.whenDone(request, sessions.state(page.id()), state -> {
            long first = from < 0 ? state.progress().mailboxFrom() : from;
            read(request, page, first, page.untilNanos());
        });
    }

    /** A page that is asked for. */
    private record MailboxPage(String id, int limit, boolean snippets, long untilNanos) {

        long bytes() {
            return HttpLimits.MAILBOX_BYTES + (snippets ? (long) limit * HttpLimits.SNIPPET_ITEM_BYTES : 0);
        }
    }

    /** Answers with items, or with an empty page when the time is up. A waiting request takes no memory of the budget. */
    private void read(RoutingContext request, MailboxPage page, long fromSeq, long untilNanos) {
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.LIST,
                page.bytes(),
                () -> sessions.mailbox(page.id(), fromSeq, page.limit()),
                (found, answer) -> {
                    long leftMs = (untilNanos - System.nanoTime()) / 1_000_000;
                    if (!found.items().isEmpty() || (leftMs <= 0 && found.nextSeq() == fromSeq)) {
                        TaskRoutes.whenDone(request, json(page, found), json -> answer.json(json.toBuffer()));
                        return;
                    }
                    answer.share().giveBack();
                    if (found.nextSeq() > fromSeq) {
                        read(request, page, found.nextSeq(), untilNanos);
                    } else {
                        TaskRoutes.whenDone(
                                request,
                                SessionWait.forFrame(request, sessions.follow(page.id(), fromSeq), leftMs),
                                come -> read(request, page, fromSeq, come ? untilNanos : 0));
                    }
                });
    }

    private Future<JsonObject> json(MailboxPage page, Mailbox.Items found) {
        return SessionJson.items(tasks, found.items(), page.snippets())
                .compose(items ->
                        sessions.state(page.id()).map(state -> SessionJson.mailbox(state, items, found.nextSeq())));
    }

    private static String sessionId(RoutingContext request) {
        return TaskRoutes.taskId(request);
    }
}
