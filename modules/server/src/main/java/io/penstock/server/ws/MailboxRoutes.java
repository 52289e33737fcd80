package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.server.ws.wire.Subprotocol;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** Serves {@code GET /sessions/ID/mailbox/attach}. An invalid request is answered over HTTP, before the upgrade. */
public final class MailboxRoutes {

    private final SessionApi sessions;
    private final TaskApi tasks;
    private final AttachedViewers viewers;
    private final Actor actor;

    private MailboxRoutes(SessionApi sessions, TaskApi tasks, AttachedViewers viewers, Actor actor) {
        this.sessions = sessions;
        this.tasks = tasks;
        this.viewers = viewers;
        this.actor = actor;
    }

    /** @param actor recorded as having acknowledged and ended */
    public static void bind(
            ApiRoutes routes, SessionApi sessions, TaskApi tasks, AttachedViewers viewers, Actor actor) {
        routes.bind(ApiOperation.ATTACH_MAILBOX, new MailboxRoutes(sessions, tasks, viewers, actor)::attach);
    }

    private void attach(RoutingContext request) {
        var query = new QueryFields(request);
        long from = query.number("from_seq", 0, Limits.WHOLE_NUMBER, -1);
        boolean snippets = query.flagOrFalse("snippet");
        boolean controls = AttachQuery.controls(query.textOrNull("rights"));
        if (!request.request().canUpgradeToWebSocket()) {
            request.response().putHeader("upgrade", "websocket");
            throw HttpFailure.wrong(
                    426, "Attaching needs a WebSocket; over plain HTTP, read /sessions/ID/mailbox with wait");
        }
        if (Subprotocol.offered(request.request().getHeader("sec-websocket-protocol")) == Subprotocol.BINARY) {
            throw HttpFailure.wrong(400, "A mailbox is JSON: attach with penstock.v1.json, or without a subprotocol");
        }
        String id = Objects.requireNonNull(request.pathParam("id"));
        Context context = request.vertx().getOrCreateContext();
        request.request().pause();
        sessions.state(id)
                .onComplete(found -> context.runOnContext(back -> {
                    if (found.failed()) {
                        request.fail(found.cause());
                    } else if (from > found.result().nextSeq()) {
                        request.fail(RequestFields.wrong("from_seq is " + from + ", and the next frame of the session "
                                + id + " is " + found.result().nextSeq()));
                    } else if (!request.response().closed()) {
                        upgrade(request, found.result(), from, snippets, controls);
                    }
                }));
    }

    private void upgrade(RoutingContext request, SessionState state, long from, boolean snippets, boolean controls) {
        request.request()
                .toWebSocket()
                .onSuccess(socket -> {
                    if (socket.isClosed()) {
                        viewers.removeUnopened();
                        return;
                    }
                    new MailboxViewer(
                                    request,
                                    socket,
                                    sessions,
                                    tasks,
                                    controls ? actor : null,
                                    snippets,
                                    viewers::removeUnopened)
                            .start(state, from < 0 ? state.progress().mailboxFrom() : from);
                })
                .onFailure(e -> request.response().reset());
    }
}
