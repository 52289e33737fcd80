package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
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
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One who is attached: is shown the task's frames and told what happens beside them, as fast as its socket takes it and it parses.
 * Lives on its socket's context.
 */
final class Viewer implements AttachedViewers.Listener, ViewSink<List<Buffer>>, CatchUp.Target {

    private static final Logger log = LoggerFactory.getLogger(Viewer.class);

    private static final ViewSession.BatchLimits BATCHES =
            new ViewSession.BatchLimits(WsLimits.BATCH_FRAMES, WsLimits.BATCH_BYTES);

    private static final short OVER = 1000;
    private static final short GOING_AWAY = 1001;
    private static final short NO_WEBSOCKET = 1002;
    private static final short TOO_LONG = 1009;
    static final short BROKEN = 1011;
    private static final short TRY_AGAIN_LATER = 1013;
    static final String WHY_BROKEN = "something went wrong; attach again from where you are";

    private final ViewerContext context;
    private final ServerWebSocket socket;
    private final Wire wire;
    private final SendQueue outgoing;
    private final FollowRange following;
    private final AttachedViewers rooms;
    private final SharedMessages.Handle shared;
    private final ScreenReservations shares;
    private final AckWindow unparsed = new AckWindow();
    private final ViewSession<List<Buffer>> showing;
    private final Keepalive pulse;
    private final SkippedOutput leftOut;
    private final CatchUp jumps;
    private final PresenceUpdates company;
    private boolean ended;
    private boolean shownToTheEnd;
    private int unanswered;
    private boolean caughtUp;
    private boolean over;

    /**
     * @param pingMs how often it is asked whether it is there
     * @param jumpsWhenBehind whether it takes a screen for output that it has fallen far behind of
     */
    Viewer(
            Vertx vertx,
            ServerWebSocket socket,
            Wire wire,
            TaskApi tasks,
            FollowRange following,
            AttachedViewers rooms,
            SharedMessages.Handle shared,
            long pingMs,
            boolean jumpsWhenBehind,
            CatchUp.ScreenSource standing,
            ScreenReservations shares) {
        this.context = new ViewerContext(vertx.getOrCreateContext(), this::failed);
        this.socket = socket;
        this.wire = wire;
        this.outgoing = new SendQueue(vertx, context, socket, wire.isText(), this::hasRoomAgain);
        this.following = following;
        this.rooms = rooms;
        this.shared = shared;
        this.shares = shares;
        this.leftOut = new SkippedOutput(context, tasks, following, this::shown);
        this.jumps = new CatchUp(context, tasks, following, leftOut, jumpsWhenBehind, standing, this);
        this.company = new PresenceUpdates(vertx, context, () -> !over && !outgoing.isFull(), this::sendViewers);
        this.showing = new ViewSession<>(vertx, tasks::follow, following, BATCHES, shared, this);
        socket.closeHandler(closed -> stop());
        socket.exceptionHandler(broken -> {
            if (socket.isClosed()) {
                stop();
            } else {
                // What is wrong with a frame leaves it open.
                wrongFrame(broken);
            }
        });
        this.pulse = new Keepalive(vertx, context, socket, pingMs, () -> !outgoing.isFull(), this::keepaliveFailed);
    }

    /** All that is done for it from outside goes through these. */
    ViewerContext context() {
        return context;
    }

    private void hasRoomAgain() {
        closeWhenAnswered();
        showing.advance();
    }

    /** @param screen as it was before the first frame that is shown; null to begin with that */
    void start(@Nullable RenderedScreen screen) {
        if (screen != null) {
            outgoing.sendAll(shares.pieces(wire.screen(screen)));
        }
        sendIfCaughtUp(following.fromSeq());
        outgoing.flush();
        showing.start();
    }

    /** Told beside the frames. */
    @Override
    public void send(JsonObject news) {
        Buffer message = over ? null : wire.news(news);
        if (message != null) {
            outgoing.sendSoon(message);
        }
    }

    private int sendViewers() {
        JsonObject viewers = rooms.viewers(following.taskId());
        send(viewers);
        return viewers.getJsonArray("viewers").size();
    }

    @Override
    public void othersChanged() {
        company.changed();
    }

    /** An answer is going to be given. */
    void commandReceived() {
        unanswered++;
    }

    void answer(JsonObject answer) {
        unanswered--;
        send(answer);
        closeWhenAnswered();
    }

    void parsed(long nextSeq) {
        unparsed.parsed(nextSeq);
        showing.advance();
    }

    void hidden() {
        leftOut.hide();
    }

    void shown() {
        leftOut.show();
        jumps.catchUpIfDue();
        resume();
    }

    @Override
    public void resume() {
        showing.advance();
    }

    @Override
    public boolean hasRoom() {
        company.sendIfChanged();
        return !jumps.isPending() && !leftOut.isAll() && !outgoing.isFull() && !unparsed.isFull();
    }

    @Override
    public boolean wants(Frame frame) {
        return leftOut.wants(frame);
    }

    @Override
    public List<Buffer> encode(List<Frame> batch) throws IOException {
        return wire.frames(batch);
    }

    /** Stored or not: also what is not stored is sent to those who follow live. */
    @Override
    public int weigh(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta ? delta.bytes() : 0;
    }

    @Override
    public void write(List<Frame> batch, List<Buffer> messages) {
        messages.forEach(outgoing::sendSoon);
        boolean hasOutput = false;
        for (Frame frame : batch) {
            if (frame.body() instanceof ToolTaskSpawned spec) {
                wire.spec(spec);
            }
            hasOutput |= frame.body() instanceof ToolTaskOutputDelta;
            unparsed.sent(frame.seq() + 1, weigh(frame));
        }
        boolean isBorder = sendIfCaughtUp(batch.getLast().seq() + 1);
        if (hasOutput || isBorder) {
            outgoing.flush();
        }
    }

    private boolean sendIfCaughtUp(long nextSeq) {
        long there = following.known().nextSeq();
        boolean isBorder = !caughtUp && nextSeq >= there;
        if (isBorder) {
            caughtUp = true;
            send(ServerMessages.caughtUp(there));
        }
        return isBorder;
    }

    @Override
    public void beforeBatch(Frame first, boolean heldUp) {
        jumps.beforeBatch(first, heldUp);
    }

    @Override
    public long nextSeq() {
        return showing.nextSeq();
    }

    @Override
    public void jumpTo(RenderedScreen screen, @Nullable List<Frame> beside) {
        if (ended) {
            showScreen(screen);
            return;
        }
        showing.skipTo(beside, screen.seq(), () -> showScreen(screen));
    }

    private void showScreen(RenderedScreen screen) {
        leftOut.clear();
        outgoing.sendAll(shares.pieces(wire.screen(screen)));
        unparsed.sent(screen.seq() + 1, WsLimits.UNACKNOWLEDGED_BYTES);
        sendIfCaughtUp(screen.seq() + 1);
        outgoing.flush();
        shownToTheEnd = ended;
        closeWhenAnswered();
    }

    /** Who did something right before the end hears what became of it. */
    private void closeWhenAnswered() {
        if (shownToTheEnd && unanswered == 0 && !outgoing.isWaiting()) {
            close(OVER, "ended");
        }
    }

    /** Also who is hidden sees how it ended. */
    @Override
    public void ended() {
        ended = true;
        leftOut.show();
        RenderedScreen screen = leftOut.screen();
        if (screen != null) {
            showScreen(screen);
        } else if (leftOut.isDue() || jumps.isPending()) {
            jumps.catchUpIfDue();
        } else {
            shownToTheEnd = true;
            closeWhenAnswered();
        }
    }

    @Override
    public void closed() {
        close(GOING_AWAY, "the server shuts down");
    }

    private void keepaliveFailed() {
        close(GOING_AWAY, "no ping is answered any more; attach again from where you are");
    }

    /** The connection ends without an end of its own, which is how a viewer knows that it should come back for the rest. */
    @Override
    public void failed(@Nullable Throwable why) {
        if (over) {
            return;
        }
        if (why instanceof Failure || why instanceof IOException) {
            log.warn("A viewer of task {} was cut off: {}", following.taskId(), String.valueOf(why));
        } else {
            log.error("A viewer of task {} was cut off, by what nobody foresaw", following.taskId(), why);
        }
        close(BROKEN, WHY_BROKEN);
    }

    @Override
    public void delayed(Throwable why, long forMs) {
        if (forMs >= WAITS_AT_MOST_MS) {
            close(
                    TRY_AGAIN_LATER,
                    "the history that comes next is in Postgres, which does not answer; attach again later");
        }
    }

    @Override
    public boolean hasCaughtUp() {
        return caughtUp;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    /** By its words: what it is an instance of is a matter of the library beneath. */
    private void wrongFrame(Throwable why) {
        String words = String.valueOf(why.getMessage());
        if (words.startsWith("Max frame length")) {
            tooLong();
        } else {
            close(NO_WEBSOCKET, "that is no frame of a WebSocket: " + words);
        }
    }

    /** What it says is more than a message may have. */
    void tooLong() {
        close(TOO_LONG, "a message has at most 64 KiB");
    }

    private void close(short code, String reason) {
        if (over) {
            return;
        }
        try {
            outgoing.flush();
        } finally {
            try {
                stop();
            } finally {
                // Whatever failed before: a socket that stays open without anybody behind it is waited at for ever.
                socket.close(code, reason);
            }
        }
    }

    private void stop() {
        if (!over) {
            over = true;
            pulse.stop();
            showing.stop();
            leftOut.stop();
            outgoing.stop();
            shares.stop();
            rooms.remove(following.taskId(), this);
            shared.close();
            wire.close();
        }
    }
}
