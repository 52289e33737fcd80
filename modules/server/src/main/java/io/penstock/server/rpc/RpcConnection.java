package io.penstock.server.rpc;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.server.budget.BytesInFlight;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.Once;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One host. Lives on the edge's context. */
final class RpcConnection implements LineReader.Lines {

    private static final Logger log = LoggerFactory.getLogger(RpcConnection.class);

    /** The parts that all connections share. */
    record Shared(
            Vertx vertx,
            OneThread thread,
            TaskApi tasks,
            HostTasks hostTasks,
            Once once,
            Guard guard,
            Connections connections,
            BiFunction<TaskEvents, Frame, @Nullable Buffer> encoder) {}

    private final Shared shared;
    private final NetSocket socket;
    private final Runnable whenClosed;
    private final LineReader lines = new LineReader(RpcLimits.FIRST_LINE_BYTES, this);
    private final BytesInFlight inFlight = new BytesInFlight(this::roomChanged);
    private final Map<String, EventCursor> cursors = new HashMap<>();
    private final Map<String, Future<Void>> lanes = new HashMap<>();
    private Buffer gathered = Buffer.buffer();
    private long unwritten;
    private int requests;
    private int requestBytes;
    private boolean signedIn;
    private boolean reading = true;
    private boolean ending;
    private boolean closed;

    RpcConnection(Shared shared, NetSocket socket, Runnable whenClosed) {
        this.shared = shared;
        this.socket = socket;
        this.whenClosed = whenClosed;
        shared.connections().opened(socket, socket.remoteAddress(), () -> close(socket));
        socket.closeHandler(gone -> closed());
        socket.exceptionHandler(broken -> close(socket));
        socket.handler(lines);
    }

    private static void close(NetSocket socket) {
        socket.close().onFailure(e -> log.debug("A connection was closed already: {}", e.getMessage()));
    }

    private void closed() {
        closed = true;
        if (signedIn) {
            shared.connections().left();
        } else {
            shared.connections().closed(socket);
        }
        List.copyOf(cursors.values()).forEach(EventCursor::close);
        whenClosed.run();
    }

    boolean isSignedIn() {
        return signedIn;
    }

    @Override
    public void tooLong() {
        if (ending) {
            return;
        }
        refuseLine(RequestFields.wrong("A line has at most "
                + (signedIn ? RpcLimits.LINE_BYTES : RpcLimits.FIRST_LINE_BYTES)
                + " bytes, and this one has more; it is skipped"));
    }

    @Override
    public void line(byte[] utf8) {
        if (closed || ending) {
            return;
        }
        RpcRequest request;
        try {
            request = RpcRequest.read(utf8);
        } catch (Failure e) {
            refuseLine(e);
            return;
        }
        if (signedIn || signIn(request)) {
            accept(request, utf8.length);
        }
    }

    private static boolean isAuthentication(RpcRequest request) {
        return "authenticate".equals(request.type());
    }

    /** A page in a browser can make it send lines to any port, but the first of them is never a request of this protocol. */
    private void refuseLine(Failure why) {
        write(RpcLine.unreadable(RpcRefusal.of(why)));
        if (!signedIn) {
            end();
        }
    }

    private boolean signIn(RpcRequest request) {
        String token = isAuthentication(request)
                        && request.payload().object().path("token").isTextual()
                ? request.payload().object().path("token").textValue()
                : null;
        String wrong = !shared.guard().isAccessToken(token)
                ? "The first line must be {\"id\": \"…\", \"type\": \"authenticate\", \"payload\": {\"token\": \"…\"}} with"
                        + " the access token, which is in the file token in the server's data directory"
                : !shared.connections().signIn(socket) ? shared.connections().full() : null;
        if (wrong != null) {
            write(RpcLine.response(request.id(), Answer.error(RpcRefusal.of(RequestFields.wrong(wrong)))));
            end();
            return false;
        }
        signedIn = true;
        lines.limit(RpcLimits.LINE_BYTES);
        shared.hostTasks().open().forEach((name, task) -> follow(task.taskId(), task.nextSeq(), task.events()));
        return true;
    }

    /** From this frame on, the host gets the task's events. */
    void follow(String taskId, long fromSeq, TaskEvents events) {
        EventCursor known = cursors.get(taskId);
        if (known != null) {
            known.reopen();
            return;
        }
        var cursor = new EventCursor(
                shared.tasks().follow(taskId, fromSeq),
                fromSeq,
                events,
                shared.encoder(),
                this::write,
                why -> eventsLost(taskId, why),
                () -> cursors.remove(taskId));
        cursors.put(taskId, cursor);
        cursor.full(isFull());
    }

    /** Without its events the host would be misled: after a reconnect it asks for the state. */
    private void eventsLost(String taskId, Throwable why) {
        log.warn("A host is disconnected: the events of the task {} cannot be read", taskId, why);
        close(socket);
    }

    private void accept(RpcRequest request, int bytes) {
        requests++;
        requestBytes += bytes;
        readOrPause();
        Promise<Void> done = Promise.promise();
        Future<?> before =
                Future.join(request.waitsIn().stream().map(this::lane).toList());
        request.holdsUp().forEach(lane -> lanes.put(lane, done.future()));
        before.transform(turn -> carryOut(request).<Void>mapEmpty())
                .recover(e -> answer(request, Future.failedFuture(e)))
                .onComplete(over -> {
                    requests--;
                    requestBytes -= bytes;
                    request.holdsUp().forEach(lane -> lanes.remove(lane, done.future()));
                    done.complete();
                    readOrPause();
                });
    }

    private Future<Void> lane(String name) {
        return lanes.getOrDefault(name, Future.succeededFuture());
    }

    /** Completes when the next request of its lanes may begin. */
    private Future<?> carryOut(RpcRequest request) {
        String id = request.id();
        if (id == null || request.wrong() != null) {
            return answer(request, Future.failedFuture(RequestFields.wrong(String.valueOf(request.wrong()))));
        }
        HostTasks tasks = shared.hostTasks();
        return switch (Objects.requireNonNullElse(request.type(), "")) {
            case "get_state", "runtime_get_state" ->
                answer(request, attempt(payload -> tasks.state().map(Answer::result), request));
            case "create_or_open_task" -> answer(request, once(id, request, tasks::createOrOpen));
            case "stop_task" -> answer(request, once(id, request, tasks::stop));
            case "prompt" -> prompt(id, request);
            case "authenticate" ->
                answer(request, Future.succeededFuture(Answer.result(new JsonObject().put("authenticated", true))));
            case "switch_task" -> switchTask(id, request);
            default ->
                answer(
                        request,
                        Future.failedFuture(RequestFields.wrong("type must be create_or_open_task, switch_task, prompt,"
                                + " get_state or stop_task, but is \""
                                + RequestFields.shown(String.valueOf(request.type())) + "\"")));
        };
    }

    /** No event is sent before the place of the answer is known: it is the frame that begins the turn. */
    private Future<?> prompt(String id, RpcRequest request) {
        List<EventCursor> held = List.copyOf(cursors.values());
        held.forEach(EventCursor::hold);
        return answer(request, once(id, request, shared.hostTasks()::prompt), () -> held.forEach(EventCursor::release));
    }

    private Future<?> switchTask(String id, RpcRequest request) {
        HostTasks.SwitchAttempt[] attempt = new HostTasks.SwitchAttempt[1];
        Future<Answer> checked = once(id, request, payload -> {
            attempt[0] = shared.hostTasks().switchTo(payload);
            return attempt[0].check();
        });
        return answer(request, checked)
                .compose(answered -> nextTurn())
                .compose(turn -> attempt[0] == null ? Future.succeededFuture() : attempt[0].carryOut());
    }

    /** Answers to repetitions of the same request are ahead of it. */
    private Future<Void> nextTurn() {
        Promise<Void> turn = Promise.promise();
        shared.vertx().runOnContext(turn::complete);
        return turn.future();
    }

    private static Future<Answer> attempt(Function<RequestFields, Future<Answer>> operation, RpcRequest request) {
        return Future.succeededFuture().compose(here -> operation.apply(request.payload()));
    }

    /** What is decided is the answer to each repetition, be it a result or an error. */
    private Future<Answer> once(String id, RpcRequest request, Function<RequestFields, Future<Answer>> operation) {
        OneThread thread = shared.thread();
        return thread.here(shared.once()
                        .run(
                                id,
                                String.valueOf(request.type()),
                                request.payload(),
                                () -> thread.here(Future.succeededFuture())
                                        .compose(here -> attempt(operation, request))
                                        .recover(RpcConnection::decided)
                                        .map(Answer::stored)))
                .map(Answer::ofStored);
    }

    private static Future<Answer> decided(Throwable why) {
        RpcRefusal refusal = RpcRefusal.of(why);
        return refusal.isFinal() ? Future.succeededFuture(Answer.error(refusal)) : Future.failedFuture(why);
    }

    /** Writes the answer at its place; completes when it is written, or never will be. */
    private Future<Void> answer(RpcRequest request, Future<Answer> outcome) {
        return answer(request, outcome, () -> {});
    }

    /** @param placed called when the place is known */
    private Future<Void> answer(RpcRequest request, Future<Answer> outcome, Runnable placed) {
        return outcome.otherwise(e -> failed(request, e)).compose(answer -> {
            Promise<Void> written = Promise.promise();
            EventCursor cursor = answer.taskId() == null ? null : cursors.get(answer.taskId());
            Runnable write = () -> {
                write(RpcLine.response(request.id(), answer));
                written.complete();
            };
            if (cursor == null) {
                write.run();
            } else {
                cursor.writeAfter(answer.seq(), write);
            }
            placed.run();
            return written.future();
        });
    }

    private static Answer failed(RpcRequest request, Throwable why) {
        if (!(why instanceof Failure)) {
            log.error(
                    "A request of the type {} failed unexpectedly",
                    RequestFields.shown(String.valueOf(request.type())),
                    why);
        }
        return Answer.error(RpcRefusal.of(why));
    }

    /** Gathers lines, so that what happens in one turn of the event loop is one write. */
    void write(Buffer lines) {
        if (closed) {
            return;
        }
        if (gathered.length() == 0) {
            shared.vertx().runOnContext(turn -> flush());
        }
        gathered.appendBuffer(lines);
        if (isFull()) {
            roomChanged();
        }
    }

    private void flush() {
        Buffer lines = gathered;
        gathered = Buffer.buffer();
        if (closed || lines.length() == 0) {
            return;
        }
        unwritten += lines.length();
        if (unwritten > RpcLimits.UNREAD_BYTES) {
            log.warn("A host at {} is disconnected: it has not read {} bytes", socket.remoteAddress(), unwritten);
            close(socket);
            return;
        }
        Future<Void> taken = socket.write(lines);
        taken.onComplete(over -> unwritten -= lines.length());
        inFlight.add(lines.length(), taken);
    }

    private boolean isFull() {
        return inFlight.isFull() || gathered.length() >= 64 * 1024;
    }

    private void roomChanged() {
        boolean full = isFull();
        List.copyOf(cursors.values()).forEach(cursor -> cursor.full(full));
        readOrPause();
    }

    private void readOrPause() {
        boolean wanted = requests < RpcLimits.REQUESTS && requestBytes < RpcLimits.REQUEST_BYTES && !isFull();
        if (wanted != reading && !closed) {
            reading = wanted;
            if (wanted) {
                socket.resume();
            } else {
                socket.pause();
            }
        }
    }

    /** Closes the connection in a moment. Until then its input is discarded: unread input would have the system discard the answer. */
    private void end() {
        ending = true;
        shared.vertx().setTimer(RpcLimits.END_MS, elapsed -> close(socket));
    }
}
