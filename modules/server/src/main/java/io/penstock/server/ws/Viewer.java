package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.view.BatchLimits;
import io.penstock.engine.view.CatchUpLimits;
import io.penstock.engine.view.CatchUpSource;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.ViewSession;
import io.penstock.engine.view.ViewSink;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.ws.wire.ServerMessages;
import io.penstock.server.ws.wire.Wire;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attached client. Writes frames and screens of its session, answers and presence to its socket, and closes the socket
 * at the task's end or after a failure. Lives on its socket's context.
 */
final class Viewer implements AttachedViewers.Listener, ViewSink<List<Buffer>> {

    private static final Logger log = LoggerFactory.getLogger(Viewer.class);

    private static final BatchLimits BATCHES = new BatchLimits(WsLimits.BATCH_FRAMES, WsLimits.BATCH_BYTES);

    private static final short NORMAL = 1000;
    static final short GOING_AWAY = 1001;
    static final short PROTOCOL_ERROR = 1002;
    static final short SIGNED_OUT = 1008;
    static final short TOO_LONG = 1009;
    static final short INTERNAL_ERROR = 1011;
    private static final short TRY_AGAIN_LATER = 1013;
    static final String WHY_INTERNAL_ERROR = "something went wrong; attach again from where you are";

    private final ViewerContext context;
    private final ServerWebSocket socket;
    private final Wire wire;
    private final SendQueue queue;
    private final FollowRange range;
    private final AttachedViewers viewers;
    private final SharedMessages.Handle shared;
    private final ScreenReservations reservations;
    private final AckWindow ackWindow = new AckWindow();
    private final ViewSession<List<Buffer>> session;
    private final Keepalive keepalive;
    private final PresenceUpdates presence;
    private int unansweredCommands;
    private boolean caughtUpSent;
    private boolean ended;
    private boolean closed;

    /**
     * @param pingMs the time between two pings
     * @param screensWhenBehind whether the viewer gets a screen in place of output when it lags far behind
     */
    Viewer(
            Vertx vertx,
            ServerWebSocket socket,
            Wire wire,
            TaskApi tasks,
            FollowRange range,
            AttachedViewers viewers,
            SharedMessages.Handle shared,
            long pingMs,
            boolean screensWhenBehind,
            CatchUpSource screens,
            ScreenReservations reservations) {
        this.context = new ViewerContext(vertx.getOrCreateContext(), this::failed);
        this.socket = socket;
        this.wire = wire;
        this.queue = new SendQueue(vertx, context, socket, wire.isText(), this::drained);
        this.range = range;
        this.viewers = viewers;
        this.shared = shared;
        this.reservations = reservations;
        this.presence = new PresenceUpdates(vertx, context, () -> !closed && !queue.isFull(), this::sendViewers);
        this.session = new ViewSession<>(
                vertx, tasks::follow, range, BATCHES, shared, this, screens, limits(screensWhenBehind));
        socket.closeHandler(gone -> stop());
        socket.exceptionHandler(broken -> {
            if (socket.isClosed()) {
                stop();
            } else {
                // An invalid frame leaves the socket open.
                closeForInvalidFrame(broken);
            }
        });
        this.keepalive = new Keepalive(vertx, context, socket, pingMs, () -> !queue.isFull(), this::keepaliveFailed);
    }

    private static CatchUpLimits limits(boolean screens) {
        return new CatchUpLimits(
                screens,
                WsLimits.LAG_BYTES,
                WsLimits.LAG_AGAIN_BYTES,
                Duration.ofMillis(WsLimits.LAG_AGAIN_MS),
                WsLimits.LAG_FRAMES);
    }

    /** Everything done for the viewer from outside goes through its context. */
    ViewerContext context() {
        return context;
    }

    /** @param screen the screen before the first frame; null to begin with that frame */
    void start(@Nullable RenderedScreen screen) {
        if (screen != null) {
            queue.sendAll(reservations.pieces(wire.screen(screen)));
        }
        sendIfCaughtUp(range.fromSeq());
        queue.flush();
        session.start();
    }

    /** The socket accepts more again. */
    private void drained() {
        closeWhenAnswered();
        presence.sendIfChanged();
        session.advance();
    }

    /** Sends an object that is not a frame. */
    void send(JsonObject object) {
        Buffer message = closed ? null : wire.news(object);
        if (message != null) {
            queue.sendSoon(message);
        }
    }

    private int sendViewers() {
        JsonObject all = viewers.viewers(range.taskId());
        send(all);
        return all.getJsonArray("viewers").size();
    }

    @Override
    public void othersChanged() {
        presence.changed();
    }

    /** A command was received, and will be answered. */
    void commandReceived() {
        unansweredCommands++;
    }

    void answer(JsonObject answer) {
        unansweredCommands--;
        send(answer);
        closeWhenAnswered();
    }

    void parsed(long nextSeq) {
        ackWindow.parsed(nextSeq);
        session.advance();
    }

    void hidden() {
        session.hide();
    }

    void shown() {
        session.show();
    }

    @Override
    public boolean hasRoom() {
        return !queue.isFull() && !ackWindow.isFull();
    }

    @Override
    public List<Buffer> encode(List<Frame> batch) throws IOException {
        return wire.frames(batch);
    }

    /** Output counts whether stored or not, since output that is not stored is sent to live viewers too. */
    @Override
    public int weigh(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta ? delta.bytes() : 0;
    }

    @Override
    public void write(List<Frame> batch, List<Buffer> messages) {
        long unassigned = 0;
        for (Buffer message : messages) {
            unassigned += message.length();
            queue.sendSoon(message);
        }
        boolean hasOutput = false;
        for (Frame frame : batch) {
            if (frame.body() instanceof ToolTaskSpawned spec) {
                wire.spec(spec);
            }
            hasOutput |= frame.body() instanceof ToolTaskOutputDelta;
            // Removed output is not sent, so it must not fill the window.
            int sent = (int) Math.min(weigh(frame), unassigned);
            unassigned -= sent;
            ackWindow.sent(frame.seq() + 1, sent);
        }
        boolean caughtUp = sendIfCaughtUp(batch.getLast().seq() + 1);
        if (hasOutput || caughtUp) {
            queue.flush();
        }
    }

    @Override
    public void fellBehind(long from, long to, boolean screen) {
        send(ServerMessages.fellBehind(from, to, screen));
    }

    @Override
    public void writeScreen(RenderedScreen screen) {
        queue.sendAll(reservations.pieces(wire.screen(screen)));
        ackWindow.sent(screen.seq() + 1, WsLimits.UNACKNOWLEDGED_BYTES);
        sendIfCaughtUp(screen.seq() + 1);
        queue.flush();
    }

    private boolean sendIfCaughtUp(long nextSeq) {
        long existing = range.known().nextSeq();
        if (caughtUpSent || nextSeq < existing) {
            return false;
        }
        caughtUpSent = true;
        send(ServerMessages.caughtUp(existing));
        return true;
    }

    @Override
    public void ended() {
        ended = true;
        closeWhenAnswered();
    }

    /** Commands that arrived right before the end are answered before the close. */
    private void closeWhenAnswered() {
        if (ended && unansweredCommands == 0 && !queue.isWaiting()) {
            close(NORMAL, "ended");
        }
    }

    @Override
    public void closed() {
        close(GOING_AWAY, "the server shuts down");
    }

    void signedOut() {
        close(SIGNED_OUT, "the browser has signed out; sign in again");
    }

    private void keepaliveFailed() {
        close(GOING_AWAY, "the client no longer answers pings; attach again and continue");
    }

    /** Closes the socket with a code other than {@link #NORMAL}, so that the client attaches again for the rest. */
    @Override
    public void failed(Throwable why) {
        if (closed) {
            return;
        }
        if (why instanceof Failure || why instanceof IOException) {
            log.warn("A viewer of task {} was disconnected: {}", range.taskId(), String.valueOf(why));
        } else {
            log.error("A viewer of task {} was disconnected after an unexpected failure", range.taskId(), why);
        }
        close(INTERNAL_ERROR, WHY_INTERNAL_ERROR);
    }

    @Override
    public void delayed(Throwable why, long forMs) {
        if (forMs >= WAITS_AT_MOST_MS) {
            close(
                    TRY_AGAIN_LATER,
                    "the history that comes next is in Postgres, which does not answer; attach again later");
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Distinguishes the causes by their messages, since Vert.x has no exception types for them. */
    private void closeForInvalidFrame(Throwable why) {
        String message = String.valueOf(why.getMessage());
        if (message.startsWith("Max frame length")) {
            closeForTooLong();
        } else {
            close(PROTOCOL_ERROR, "that is no frame of a WebSocket: " + message);
        }
    }

    void closeForTooLong() {
        close(TOO_LONG, "a message has at most 64 KiB");
    }

    private void close(short code, String reason) {
        if (closed) {
            return;
        }
        try {
            queue.flush();
        } finally {
            try {
                stop();
            } finally {
                // Even after a failure above: the client of an open socket without a viewer would wait for ever.
                socket.close(code, reason);
            }
        }
    }

    private void stop() {
        if (!closed) {
            closed = true;
            keepalive.stop();
            session.stop();
            queue.stop();
            reservations.stop();
            viewers.remove(range.taskId(), this);
            shared.close();
            wire.close();
        }
    }
}
