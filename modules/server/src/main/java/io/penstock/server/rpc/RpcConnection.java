package io.penstock.server.rpc;

import io.penstock.engine.host.ConnectedHost;
import io.penstock.engine.host.HostAnswer;
import io.penstock.engine.host.HostCommand;
import io.penstock.engine.host.HostEvent;
import io.penstock.engine.host.HostTasks;
import io.penstock.engine.lines.LineReader;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.server.budget.BytesInFlight;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.Once;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection of one host: its lines, and as much of them as it reads. Lives on the edge's context. */
final class RpcConnection implements LineReader.Lines, ConnectedHost.Outbox {

    private static final Logger log = LoggerFactory.getLogger(RpcConnection.class);

    /** The parts that all connections share. */
    record Shared(
            Vertx vertx,
            HostTasks hostTasks,
            Once once,
            Guard guard,
            Connections connections,
            BiFunction<Frame, List<HostEvent>, Buffer> encoder) {}

    private final Shared shared;
    private final NetSocket socket;
    private final LineReader lines = new LineReader(RpcLimits.FIRST_LINE_BYTES, this);
    private final BytesInFlight inFlight = new BytesInFlight(this::roomChanged);
    private @Nullable ConnectedHost host;
    private Buffer gathered = Buffer.buffer();
    private long unwritten;
    private int requests;
    private int requestBytes;
    private boolean reading = true;
    private boolean ending;
    private boolean inputEnded;
    private long lastAnswersTimer = -1;
    private boolean closed;

    RpcConnection(Shared shared, NetSocket socket) {
        this.shared = shared;
        this.socket = socket;
        shared.connections().opened(socket, socket.remoteAddress(), () -> close(socket));
        socket.closeHandler(gone -> closed());
        socket.exceptionHandler(broken -> close(socket));
        socket.handler(read -> lines.read(ByteBuffer.wrap(read.getBytes())));
        HostTcp.probe(socket);
        Context context = shared.vertx().getOrCreateContext();
        HostTcp.keepHalfClosed(socket, () -> context.runOnContext(turn -> inputEnded()));
    }

    private static void close(NetSocket socket) {
        socket.close().onFailure(e -> log.debug("A connection was closed already: {}", e.getMessage()));
    }

    private void closed() {
        closed = true;
        shared.vertx().cancelTimer(lastAnswersTimer);
        if (host == null) {
            shared.connections().closed(socket);
        } else {
            shared.connections().left();
            host.close();
        }
    }

    @Override
    public void tooLong() {
        if (ending) {
            return;
        }
        refuseLine(RequestFields.wrong("A line has at most "
                + (host == null ? RpcLimits.FIRST_LINE_BYTES : RpcLimits.LINE_BYTES)
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
        ConnectedHost known = host == null ? signIn(request) : host;
        if (known != null) {
            accept(known, request, utf8.length);
        }
    }

    /** A page in a browser can make it send lines to any port, but the first of them is never a request of this protocol. */
    private void refuseLine(Failure why) {
        write(RpcLine.unreadable(why));
        if (host == null) {
            end();
        }
    }

    private @Nullable ConnectedHost signIn(RpcRequest request) {
        String wrong = !shared.guard().isAccessToken(request.token())
                ? "The first line must be {\"id\": \"…\", \"type\": \"authenticate\", \"payload\": {\"token\": \"…\"}} with"
                        + " the access token, which is in the file token in the server's data directory"
                : !shared.connections().signIn(socket) ? shared.connections().full() : null;
        if (wrong != null) {
            answer(request, HostAnswer.error(RequestFields.wrong(wrong)));
            end();
            return null;
        }
        lines.limit(RpcLimits.LINE_BYTES);
        host = shared.hostTasks().connect(this);
        return host;
    }

    private void accept(ConnectedHost from, RpcRequest request, int bytes) {
        if (request.type().equals("authenticate") && request.wrong() == null) {
            answer(request, HostAnswer.result(new JsonObject().put("authenticated", true)));
            return;
        }
        HostCommand command;
        try {
            command = request.command();
        } catch (Failure e) {
            answer(request, HostAnswer.error(e));
            return;
        }
        requests++;
        requestBytes += bytes;
        readOrPause();
        from.accept(command, once(request), answer -> answer(request, answer)).onComplete(over -> {
            requests--;
            requestBytes -= bytes;
            readOrPause();
            closeIfAnswered();
        });
    }

    private ConnectedHost.Once once(RpcRequest request) {
        return operation -> shared.once()
                .run(
                        request.id(),
                        request.type(),
                        request.payload(),
                        () -> operation.get().map(HostAnswer::stored))
                .map(HostAnswer::ofStored);
    }

    private void answer(RpcRequest request, HostAnswer answer) {
        write(RpcLine.response(request.id(), answer));
    }

    @Override
    public void events(Frame frame, List<HostEvent> events) {
        write(shared.encoder().apply(frame, events));
    }

    @Override
    public void event(HostEvent event) {
        write(RpcLine.event(event));
    }

    /** After a reconnect, the host asks for the state. */
    @Override
    public void eventsLost(String taskId, Throwable why) {
        log.warn("A host is disconnected: the events of the task {} cannot be read", taskId, why);
        close(socket);
    }

    /** Gathers lines, so that what happens in one turn of the event loop is one write. */
    private void write(Buffer lines) {
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
        taken.onComplete(over -> {
            unwritten -= lines.length();
            closeIfAnswered();
        });
        inFlight.add(lines.length(), taken);
    }

    private boolean isFull() {
        return inFlight.isFull() || gathered.length() >= RpcLimits.GATHERED_BYTES;
    }

    private void roomChanged() {
        if (host != null) {
            host.full(isFull());
        }
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

    /** The host sends no more, but reads: what it has sent is answered. */
    private void inputEnded() {
        if (!closed) {
            inputEnded = true;
            lastAnswersTimer = shared.vertx().setTimer(RpcLimits.LAST_ANSWERS_MS, elapsed -> close(socket));
            closeIfAnswered();
        }
    }

    /** Looks in the next turn, when what was received while the reading was paused has been read. */
    private void closeIfAnswered() {
        if (inputEnded) {
            shared.vertx().runOnContext(turn -> {
                if (reading && requests == 0) {
                    if (host != null) {
                        host.close();
                    }
                    if (gathered.length() == 0 && unwritten == 0) {
                        close(socket);
                    }
                }
            });
        }
    }

    /** Closes the connection in a moment. Until then its input is discarded: unread input would have the system discard the answer. */
    private void end() {
        ending = true;
        shared.vertx().setTimer(RpcLimits.END_MS, elapsed -> close(socket));
    }
}
