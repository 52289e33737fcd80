package io.penstock.server.request;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.engine.view.BatchLimits;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.engine.view.JsonFrames;
import io.penstock.engine.view.SharedBatches;
import io.penstock.engine.view.ViewSession;
import io.penstock.engine.view.ViewSink;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.server.budget.BytesInFlight;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** A whole edge, JSON lines over TCP: it adds only the connection and the envelope to the parts that all edges share. */
record LineEdge(Vertx vertx, TaskApi tasks, Actor actor, NetSocket socket) {

    private static final List<String> ENVELOPE = List.of("id", "type", "task_id");
    private static final BatchLimits BATCHES = new BatchLimits(64, 64 * 1024);
    private static final int LINE_BYTES = 1024 * 1024;

    static Future<NetServer> listen(Vertx vertx, TaskApi tasks, Actor actor) {
        return vertx.createNetServer()
                .connectHandler(socket -> {
                    var edge = new LineEdge(vertx, tasks, actor, socket);
                    socket.handler(RecordParser.newDelimited("\n", edge::line).maxRecordSize(LINE_BYTES));
                })
                .listen(0, "127.0.0.1");
    }

    private void line(Buffer line) {
        RequestFields fields = null;
        Future<JsonObject> answer;
        try {
            fields = RequestFields.parse(line.getBytes(), "The line");
            answer = answer(fields);
        } catch (RuntimeException e) {
            answer = Future.failedFuture(e);
        }
        String id = fields == null ? null : fields.object().path("id").asText(null);
        answer.onComplete(done -> send(new JsonObject()
                .put("id", id)
                .mergeIn(
                        done.succeeded()
                                ? done.result()
                                : new JsonObject().put("error", ErrorBody.of(Failure.forCallers(done.cause()))))));
    }

    private Future<JsonObject> answer(RequestFields fields) {
        String type = fields.text("type", Limits.TEXT_CHARS);
        String taskId = Objects.requireNonNullElse(fields.textOrNull("task_id"), "");
        return switch (type) {
            case "spawn" ->
                tasks.spawn(SpawnReader.read(fields.object("task"), actor))
                        .map(spawned -> new JsonObject().put("task_id", spawned));
            case "list" ->
                tasks.list(TaskListReader.read(fields)).map(page -> new JsonObject().put("tasks", TaskJson.list(page)));
            case "state" -> tasks.state(taskId).map(state -> TaskJson.status(TaskView.of(taskId, state)));
            case "follow" ->
                tasks.state(taskId).map(state -> {
                    new LineViewer(new FollowRange(taskId, state, 0, true)).session.start();
                    return new JsonObject();
                });
            default ->
                tasks.apply(new CommandReader(taskId, actor, ENVELOPE, LINE_BYTES).read(type, fields))
                        .map(seq -> new JsonObject().put("seq", seq));
        };
    }

    private void send(JsonObject object) {
        socket.write(object.toBuffer().appendString("\n"));
    }

    private final class LineViewer implements ViewSink<Buffer> {

        private final ViewSession<Buffer> session;
        private final JsonFrames json;
        private final BytesInFlight inFlight;

        LineViewer(FollowRange range) {
            json = tasks.jsonFrames(range, InlineText.FULL);
            session = new ViewSession<>(vertx, tasks::follow, range, BATCHES, SharedBatches.none(), this);
            inFlight = new BytesInFlight(session::advance);
            socket.closeHandler(closed -> ended());
        }

        @Override
        public boolean hasRoom() {
            return !inFlight.isFull();
        }

        @Override
        public int weigh(Frame frame) {
            return 400;
        }

        @Override
        public Buffer encode(List<Frame> batch) throws IOException {
            Buffer lines = Buffer.buffer();
            for (Frame frame : batch) {
                lines.appendBytes(json.of(frame)).appendString("\n");
            }
            return lines;
        }

        @Override
        public void write(List<Frame> batch, Buffer lines) {
            inFlight.add(lines.length(), socket.write(lines));
        }

        @Override
        public void delayed(Throwable why, long forMs) {}

        @Override
        public void ended() {
            session.stop();
            json.close();
        }

        @Override
        public void closed() {
            ended();
        }

        @Override
        public void failed(Throwable why) {
            ended();
            send(new JsonObject().put("error", ErrorBody.of(Failure.forCallers(why))));
        }
    }
}
