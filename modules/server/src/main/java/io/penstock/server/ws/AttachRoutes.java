package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.view.CatchUpSource;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.frames.Actor;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.QueryFields;
import io.penstock.server.ws.wire.BinaryWire;
import io.penstock.server.ws.wire.JsonWire;
import io.penstock.server.ws.wire.MessageAssembler;
import io.penstock.server.ws.wire.OutputPieces;
import io.penstock.server.ws.wire.RawWire;
import io.penstock.server.ws.wire.ServerMessages;
import io.penstock.server.ws.wire.Subprotocol;
import io.penstock.server.ws.wire.Wire;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /tasks/ID/attach}: what is wrong is answered as with any other request, before the socket is one. */
public final class AttachRoutes {

    private static final Logger log = LoggerFactory.getLogger(AttachRoutes.class);

    private final TaskApi tasks;
    private final Screens screens;
    private final AttachedViewers rooms;
    private final Actor actor;
    private final Wires wires;
    private final long pingMs;

    /** What speaks a language with one viewer. */
    interface Wires {
        Wire of(Subprotocol subprotocol, FollowRange following, InlineText text);
    }

    AttachRoutes(TaskApi tasks, Screens screens, AttachedViewers rooms, Actor actor, Wires wires, long pingMs) {
        this.tasks = tasks;
        this.screens = screens;
        this.rooms = rooms;
        this.actor = actor;
        this.wires = wires;
        this.pingMs = pingMs;
    }

    /** @param actor who is recorded as having done what viewers do */
    public static void bind(ApiRoutes routes, TaskApi tasks, Screens screens, AttachedViewers rooms, Actor actor) {
        Wires wires = (subprotocol, following, text) -> wire(tasks, subprotocol, following, text);
        var attach = new AttachRoutes(tasks, screens, rooms, actor, wires, WsLimits.PING_MS);
        routes.bind(ApiOperation.ATTACH_TASK, attach::attach);
    }

    /** Without compression: output is mostly read on the same machine or through a proxy that has its own. */
    public static HttpServerOptions withSockets(HttpServerOptions options) {
        return options.setWebSocketSubProtocols(Subprotocol.wireNames())
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(WsLimits.MESSAGE_BYTES)
                .setMaxWebSocketMessageSize(WsLimits.MESSAGE_BYTES);
    }

    void attach(RoutingContext request) {
        AttachQuery query = AttachQuery.read(new QueryFields(request));
        if (!request.request().canUpgradeToWebSocket()) {
            request.response().putHeader("upgrade", "websocket");
            throw HttpFailure.wrong(426, "Attaching needs a WebSocket; events over plain HTTP are at /tasks/ID/events");
        }
        Subprotocol subprotocol = Subprotocol.offered(request.request().getHeader("sec-websocket-protocol"));
        String taskId = Objects.requireNonNull(request.pathParam("id"));
        Context here = request.vertx().getOrCreateContext();
        request.request().pause();
        var shares = new ScreenReservations(
                request.vertx(),
                tasks,
                taskId,
                () -> here.runOnContext(v -> request.request().connection().close()));
        query.opening(tasks, screens, shares, taskId, request.response()::closed)
                .onComplete(found -> here.runOnContext(back -> {
                    if (found.failed()) {
                        shares.stop();
                        request.fail(found.cause());
                    } else if (request.response().closed()) {
                        shares.stop();
                    } else {
                        upgrade(request, query, subprotocol, found.result(), shares);
                    }
                }));
    }

    private void upgrade(
            RoutingContext request,
            AttachQuery query,
            Subprotocol subprotocol,
            AttachQuery.Opening opening,
            ScreenReservations shares) {
        request.request()
                .toWebSocket()
                .onSuccess(socket -> attached(request.vertx(), socket, query, subprotocol, opening, shares))
                .onFailure(e -> {
                    shares.stop();
                    request.response().reset();
                });
    }

    /** Whatever happens from here on, the socket is closed: by its viewer as soon as there is one. */
    private void attached(
            Vertx vertx,
            ServerWebSocket socket,
            AttachQuery query,
            Subprotocol subprotocol,
            AttachQuery.Opening opening,
            ScreenReservations shares) {
        if (socket.isClosed()) {
            shares.stop();
            rooms.nobodyCame();
            return;
        }
        FollowRange following = opening.following();
        String name = rooms.newName();
        String called = called(query, subprotocol);
        String client = called == null ? "viewer " + name : called;
        OperationHistory known = called == null ? new OperationHistory() : rooms.operations();
        Wire wire;
        Viewer viewer;
        try {
            wire = wires.of(subprotocol, following, query.text());
            viewer = new Viewer(
                    vertx,
                    socket,
                    wire,
                    tasks,
                    following,
                    rooms,
                    rooms.messages().join(following.taskId(), subprotocol, query.text()),
                    pingMs,
                    query.jumps(),
                    catchUpSource(query, following.taskId(), socket, shares),
                    shares);
        } catch (RuntimeException | Error e) {
            log.error("Nobody could be attached to task {}", following.taskId(), e);
            shares.stop();
            rooms.nobodyCame();
            socket.close(Viewer.INTERNAL_ERROR, Viewer.WHY_INTERNAL_ERROR);
            return;
        }
        var driver =
                new ViewerCommands(viewer, tasks, rooms, following.taskId(), client, known, query.controls(), actor);
        ViewerContext steps = viewer.context();
        socket.frameHandler(steps.each(new MessageAssembler(driver.listener(wire))::frame));
        steps.now(() -> {
            long there = following.known().nextSeq();
            viewer.send(
                    ServerMessages.attached(following.taskId(), name, query.controls(), following.fromSeq(), there));
            rooms.enter(
                    following.taskId(),
                    viewer,
                    name,
                    client,
                    query.controls(),
                    size -> tasks.apply(new TaskCommand.Resize(following.taskId(), size, actor))
                            .map(Objects::requireNonNull));
            viewer.start(opening.screen());
        });
    }

    private CatchUpSource catchUpSource(
            AttachQuery query, String taskId, ServerWebSocket socket, ScreenReservations reservations) {
        return new CatchUpSource() {
            @Override
            public Future<TaskState> state() {
                return tasks.state(taskId);
            }

            @Override
            public Future<RenderedScreen> screen() {
                return reservations.acquire(() -> query.screen(screens, taskId, socket::isClosed));
            }

            @Override
            public long written() {
                return screens.written(taskId);
            }

            @Override
            public @Nullable List<Frame> nonOutputFrames(long fromSeq, long lastSeq) {
                return screens.nonOutputFrames(taskId, fromSeq, lastSeq);
            }
        };
    }

    /** Null for who has no name of its own, or does not number what it does: nobody comes back as that. */
    private static @Nullable String called(AttachQuery query, Subprotocol subprotocol) {
        return subprotocol == Subprotocol.RAW ? null : query.client();
    }

    static Wire wire(TaskApi tasks, Subprotocol subprotocol, FollowRange following, InlineText text) {
        return switch (subprotocol) {
            case JSON -> new JsonWire(tasks.jsonFrames(following, text));
            case BINARY -> new BinaryWire(pieces(tasks, following), tasks.jsonFrames(following, text));
            case RAW -> new RawWire(pieces(tasks, following));
        };
    }

    private static OutputPieces pieces(TaskApi tasks, FollowRange following) {
        return new OutputPieces(tasks.deltaBytes(following), following.known().spec());
    }
}
