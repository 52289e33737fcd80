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
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.guard.Guard;
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
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code GET /tasks/ID/attach}. An invalid request is answered over HTTP, before the upgrade. */
public final class AttachRoutes {

    private static final Logger log = LoggerFactory.getLogger(AttachRoutes.class);

    private final TaskApi tasks;
    private final Screens screens;
    private final AttachedViewers viewers;
    private final Actor actor;
    private final Wires wires;
    private final long pingMs;
    private final AnswerBudget budget;

    /** Creates the encoder and decoder of one viewer's messages. */
    interface Wires {
        Wire create(Subprotocol subprotocol, FollowRange range, InlineText text);
    }

    AttachRoutes(
            TaskApi tasks,
            Screens screens,
            AttachedViewers viewers,
            Actor actor,
            Wires wires,
            long pingMs,
            AnswerBudget budget) {
        this.budget = budget;
        this.tasks = tasks;
        this.screens = screens;
        this.viewers = viewers;
        this.actor = actor;
        this.wires = wires;
        this.pingMs = pingMs;
    }

    /**
     * @param actor the actor recorded in the frames of viewers' operations
     * @param budget memory of screens on their way to viewers
     */
    public static void bind(
            ApiRoutes routes,
            TaskApi tasks,
            Screens screens,
            AttachedViewers viewers,
            Actor actor,
            AnswerBudget budget) {
        Wires wires = (subprotocol, range, text) -> wire(tasks, subprotocol, range, text);
        var attach = new AttachRoutes(tasks, screens, viewers, actor, wires, WsLimits.PING_MS, budget);
        routes.bind(ApiOperation.ATTACH_TASK, attach::attach);
    }

    /** Without compression, since output is mostly read on the same machine or through a proxy that compresses. */
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
        Context context = request.vertx().getOrCreateContext();
        request.request().pause();
        var reservations = new ScreenReservations(
                budget,
                request.vertx(),
                tasks,
                taskId,
                () -> context.runOnContext(v -> request.request().connection().close()));
        query.opening(tasks, screens, reservations, taskId, request.response()::closed)
                .onComplete(found -> context.runOnContext(back -> {
                    if (found.failed()) {
                        reservations.stop();
                        request.fail(found.cause());
                    } else if (request.response().closed()) {
                        reservations.stop();
                    } else {
                        upgrade(request, query, subprotocol, found.result(), reservations);
                    }
                }));
    }

    private void upgrade(
            RoutingContext request,
            AttachQuery query,
            Subprotocol subprotocol,
            AttachQuery.Opening opening,
            ScreenReservations reservations) {
        request.request()
                .toWebSocket()
                .onSuccess(socket -> attached(request, socket, query, subprotocol, opening, reservations))
                .onFailure(e -> {
                    reservations.stop();
                    request.response().reset();
                });
    }

    /** From here on, every failure closes the socket; as soon as there is a viewer, the viewer does it. */
    private void attached(
            RoutingContext request,
            ServerWebSocket socket,
            AttachQuery query,
            Subprotocol subprotocol,
            AttachQuery.Opening opening,
            ScreenReservations reservations) {
        if (socket.isClosed()) {
            reservations.stop();
            viewers.removeUnopened();
            return;
        }
        FollowRange range = opening.range();
        String name = viewers.newName();
        String ownName = ownName(query, subprotocol);
        String client = ownName == null ? "viewer " + name : ownName;
        OperationHistory operations = ownName == null ? new OperationHistory() : viewers.operations();
        Wire wire;
        Viewer viewer;
        try {
            wire = wires.create(subprotocol, range, query.text());
            viewer = new Viewer(
                    request.vertx(),
                    socket,
                    wire,
                    tasks,
                    range,
                    viewers,
                    viewers.messages().join(range.taskId(), subprotocol, query.text()),
                    pingMs,
                    query.screensWhenBehind(),
                    catchUpSource(query, range.taskId(), socket, reservations),
                    reservations);
        } catch (RuntimeException | Error e) {
            log.error("A viewer could not be attached to task {}", range.taskId(), e);
            reservations.stop();
            viewers.removeUnopened();
            socket.close(Viewer.INTERNAL_ERROR, Viewer.WHY_INTERNAL_ERROR);
            return;
        }
        var commands =
                new ViewerCommands(viewer, tasks, viewers, range.taskId(), client, operations, query.controls(), actor);
        ViewerContext context = viewer.context();
        viewers.whenGone(viewer, Guard.closeOnSignOut(request, () -> context.soon(viewer::signedOut)));
        socket.frameHandler(context.each(new MessageAssembler(commands.listener(wire))::frame));
        context.now(() -> {
            long nextSeq = range.known().nextSeq();
            viewer.send(ServerMessages.attached(range.taskId(), name, query.controls(), range.fromSeq(), nextSeq));
            viewers.enter(
                    range.taskId(),
                    viewer,
                    name,
                    client,
                    query.controls(),
                    size -> tasks.apply(new TaskCommand.Resize(range.taskId(), size, actor))
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

    /** The client's own name; null if it gave none, or does not number its operations and so cannot repeat them. */
    private static @Nullable String ownName(AttachQuery query, Subprotocol subprotocol) {
        return subprotocol == Subprotocol.RAW ? null : query.client();
    }

    static Wire wire(TaskApi tasks, Subprotocol subprotocol, FollowRange range, InlineText text) {
        return switch (subprotocol) {
            case JSON -> new JsonWire(tasks.jsonFrames(range, text));
            case BINARY -> new BinaryWire(pieces(tasks, range), tasks.jsonFrames(range, text));
            case RAW -> new RawWire(pieces(tasks, range));
        };
    }

    private static OutputPieces pieces(TaskApi tasks, FollowRange range) {
        return new OutputPieces(tasks.deltaBytes(range), range.known().spec());
    }
}
