package io.penstock.server.ws;

import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.DrawnScreen;
import io.penstock.engine.screen.Screens;
import io.penstock.frames.Actor;
import io.penstock.frames.Frame;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.QueryFields;
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
    private final Rooms rooms;
    private final Actor actor;
    private final Wires wires;
    private final long pingMs;

    /** What speaks a language with one viewer. */
    interface Wires {
        Wire of(Subprotocol subprotocol, Following following);
    }

    AttachRoutes(TaskApi tasks, Screens screens, Rooms rooms, Actor actor, Wires wires, long pingMs) {
        this.tasks = tasks;
        this.screens = screens;
        this.rooms = rooms;
        this.actor = actor;
        this.wires = wires;
        this.pingMs = pingMs;
    }

    /** @param actor who is recorded as having done what viewers do */
    public static void bind(ApiRoutes routes, TaskApi tasks, Screens screens, Rooms rooms, Actor actor) {
        Wires wires = (subprotocol, following) -> wire(tasks, subprotocol, following);
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
        query.opening(tasks, screens, taskId)
                .onComplete(found -> here.runOnContext(back -> {
                    if (found.failed()) {
                        request.fail(found.cause());
                    } else if (!request.response().closed()) {
                        upgrade(request, query, subprotocol, found.result());
                    }
                }));
    }

    private void upgrade(
            RoutingContext request, AttachQuery query, Subprotocol subprotocol, AttachQuery.Opening opening) {
        request.request()
                .toWebSocket()
                .onSuccess(socket -> attached(request.vertx(), socket, query, subprotocol, opening))
                .onFailure(e -> request.response().reset());
    }

    /** Whatever happens from here on, the socket is closed: by its viewer as soon as there is one. */
    private void attached(
            Vertx vertx,
            ServerWebSocket socket,
            AttachQuery query,
            Subprotocol subprotocol,
            AttachQuery.Opening opening) {
        if (socket.isClosed()) {
            rooms.nobodyCame();
            return;
        }
        Following following = opening.following();
        String name = rooms.newName();
        String called = called(query, subprotocol);
        String client = called == null ? "viewer " + name : called;
        KnownOperations known = called == null ? new KnownOperations() : rooms.operations();
        Wire wire;
        Viewer viewer;
        try {
            wire = wires.of(subprotocol, following);
            viewer = new Viewer(
                    vertx,
                    socket,
                    wire,
                    tasks,
                    following,
                    rooms,
                    rooms.messages().join(following.taskId(), subprotocol),
                    pingMs,
                    query.jumps(),
                    standing(query, following.taskId()));
        } catch (RuntimeException | Error e) {
            log.error("Nobody could be attached to task {}", following.taskId(), e);
            rooms.nobodyCame();
            socket.close(Viewer.BROKEN, Viewer.WHY_BROKEN);
            return;
        }
        var driver = new Driver(viewer, tasks, rooms, following.taskId(), client, known, query.controls(), actor);
        Steps steps = viewer.steps();
        socket.frameHandler(steps.each(new Incoming(driver.hears(wire))::frame));
        steps.now(() -> {
            long there = following.known().nextSeq();
            viewer.tell(News.attached(following.taskId(), name, query.controls(), following.fromSeq(), there));
            rooms.enter(
                    following.taskId(),
                    viewer,
                    name,
                    client,
                    query.controls(),
                    size -> tasks.resize(following.taskId(), size, actor));
            viewer.begin(opening.screen());
        });
    }

    private Jumps.Standing standing(AttachQuery query, String taskId) {
        return new Jumps.Standing() {
            @Override
            public Future<DrawnScreen> screen() {
                return query.screen(screens, taskId);
            }

            @Override
            public long written() {
                return screens.written(taskId);
            }

            @Override
            public @Nullable List<Frame> beside(long fromSeq, long lastSeq) {
                return screens.beside(taskId, fromSeq, lastSeq);
            }
        };
    }

    /** Null for who has no name of its own, or does not number what it does: nobody comes back as that. */
    private static @Nullable String called(AttachQuery query, Subprotocol subprotocol) {
        return subprotocol == Subprotocol.RAW ? null : query.client();
    }

    static Wire wire(TaskApi tasks, Subprotocol subprotocol, Following following) {
        return switch (subprotocol) {
            case JSON -> new JsonWire(tasks.jsonFrames(following));
            case BINARY -> new BinaryWire(pieces(tasks, following), tasks.jsonFrames(following));
            case RAW -> new RawWire(pieces(tasks, following));
        };
    }

    private static OutputPieces pieces(TaskApi tasks, Following following) {
        return new OutputPieces(tasks.deltaBytes(), following.known().spec());
    }
}
