package io.penstock.server.ws;

import io.penstock.engine.pump.Audience;
import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.Showing;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.DrawnScreen;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
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
final class Viewer implements Rooms.Guest, Audience<List<Buffer>>, Jumps.Jumper {

    private static final Logger log = LoggerFactory.getLogger(Viewer.class);

    private static final Showing.Batches BATCHES = new Showing.Batches(WsLimits.BATCH_FRAMES, WsLimits.BATCH_BYTES);

    private static final short OVER = 1000;
    private static final short GOING_AWAY = 1001;
    private static final short NO_WEBSOCKET = 1002;
    private static final short TOO_LONG = 1009;
    static final short BROKEN = 1011;
    static final String WHY_BROKEN = "something went wrong; attach again from where you are";

    private final Steps steps;
    private final ServerWebSocket socket;
    private final Wire wire;
    private final Outgoing outgoing;
    private final Following following;
    private final Rooms rooms;
    private final SharedMessages.Shelf shared;
    private final Unparsed unparsed = new Unparsed();
    private final Showing<List<Buffer>> showing;
    private final Pulse pulse;
    private final LeftOut leftOut;
    private final Jumps jumps;
    private final Company company;
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
            Following following,
            Rooms rooms,
            SharedMessages.Shelf shared,
            long pingMs,
            boolean jumpsWhenBehind,
            Jumps.Standing standing) {
        this.steps = new Steps(vertx.getOrCreateContext(), this::brokeOff);
        this.socket = socket;
        this.wire = wire;
        this.outgoing = new Outgoing(vertx, steps, socket, wire.isText());
        this.following = following;
        this.rooms = rooms;
        this.shared = shared;
        this.leftOut = new LeftOut(steps, tasks, following, this::shown);
        this.jumps = new Jumps(steps, tasks, following, leftOut, jumpsWhenBehind, standing, this);
        this.company = new Company(vertx, steps, () -> !over && !outgoing.isFull(), this::tellOfCompany);
        this.showing = new Showing<>(vertx, tasks, following, BATCHES, shared, this);
        socket.closeHandler(closed -> stop());
        socket.exceptionHandler(broken -> {
            if (socket.isClosed()) {
                stop();
            } else {
                // What is wrong with a frame leaves it open.
                wrongFrame(broken);
            }
        });
        socket.drainHandler(steps.each(drained -> {
            socket.resume();
            outgoing.goOn();
            closeWhenAnswered();
            showing.goOn();
        }));
        this.pulse = new Pulse(vertx, steps, socket, pingMs, () -> !outgoing.isFull(), this::answersNoMore);
    }

    /** All that is done for it from outside goes through these. */
    Steps steps() {
        return steps;
    }

    /** @param screen as it was before the first frame that is shown; null to begin with that */
    void begin(@Nullable DrawnScreen screen) {
        if (screen != null) {
            outgoing.inTurn(wire.screen(screen));
        }
        tellIfCaughtUp(following.fromSeq());
        outgoing.flush();
        showing.begin();
    }

    /** Told beside the frames. */
    @Override
    public void tell(JsonObject news) {
        Buffer message = over ? null : wire.news(news);
        if (message != null) {
            outgoing.soon(message);
        }
    }

    private int tellOfCompany() {
        JsonObject viewers = rooms.viewers(following.taskId());
        tell(viewers);
        return viewers.getJsonArray("viewers").size();
    }

    @Override
    public void othersChanged() {
        company.changed();
    }

    /** An answer is going to be given. */
    void asked() {
        unanswered++;
    }

    void answer(JsonObject answer) {
        unanswered--;
        tell(answer);
        closeWhenAnswered();
    }

    void parsed(long nextSeq) {
        unparsed.parsed(nextSeq);
        showing.goOn();
    }

    void hidden() {
        leftOut.hide();
    }

    void shown() {
        leftOut.show();
        jumps.makeGood();
        goOn();
    }

    @Override
    public void goOn() {
        showing.goOn();
    }

    @Override
    public boolean hasRoom() {
        company.tellIfChanged();
        return !jumps.isAsking() && !leftOut.isAll() && !outgoing.isFull() && !unparsed.isFull();
    }

    @Override
    public boolean shows(Frame frame) {
        return leftOut.shows(frame);
    }

    @Override
    public List<Buffer> messages(List<Frame> batch) throws IOException {
        return wire.frames(batch);
    }

    /** Of output that it is sent: what is beyond the cap is nowhere, so nobody can say that it is parsed. */
    @Override
    public int bytesOf(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta
                ? (int) Math.max(0, delta.bytesStored() - delta.offset())
                : 0;
    }

    @Override
    public void write(List<Frame> batch, List<Buffer> messages) {
        messages.forEach(outgoing::soon);
        boolean hasOutput = false;
        for (Frame frame : batch) {
            if (frame.body() instanceof ToolTaskSpawned spec) {
                wire.spec(spec);
            }
            hasOutput |= frame.body() instanceof ToolTaskOutputDelta;
            unparsed.sent(frame.seq() + 1, bytesOf(frame));
        }
        boolean isBorder = tellIfCaughtUp(batch.getLast().seq() + 1);
        if (hasOutput || isBorder) {
            outgoing.flush();
        }
    }

    private boolean tellIfCaughtUp(long nextSeq) {
        long there = following.known().nextSeq();
        boolean isBorder = !caughtUp && nextSeq >= there;
        if (isBorder) {
            caughtUp = true;
            tell(News.caughtUp(there));
        }
        return isBorder;
    }

    @Override
    public void goesOnWith(Frame first, boolean heldUp) {
        jumps.goesOnWith(first, heldUp);
    }

    @Override
    public long nextSeq() {
        return showing.nextSeq();
    }

    @Override
    public void jumpTo(DrawnScreen screen, @Nullable List<Frame> beside) {
        if (ended) {
            showScreen(screen);
            return;
        }
        showing.leap(beside, screen.seq(), () -> showScreen(screen));
    }

    private void showScreen(DrawnScreen screen) {
        leftOut.madeGood();
        outgoing.inTurn(wire.screen(screen));
        unparsed.sent(screen.seq() + 1, WsLimits.UNACKNOWLEDGED_BYTES);
        tellIfCaughtUp(screen.seq() + 1);
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
        DrawnScreen screen = leftOut.screen();
        if (screen != null) {
            showScreen(screen);
        } else if (leftOut.isDue() || jumps.isAsking()) {
            jumps.makeGood();
        } else {
            shownToTheEnd = true;
            closeWhenAnswered();
        }
    }

    @Override
    public void closed() {
        close(GOING_AWAY, "the server shuts down");
    }

    private void answersNoMore() {
        close(GOING_AWAY, "no ping is answered any more; attach again from where you are");
    }

    /** The connection ends without an end of its own, which is how a viewer knows that it should come back for the rest. */
    @Override
    public void brokeOff(@Nullable Throwable why) {
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
            rooms.leave(following.taskId(), this);
            shared.close();
            wire.close();
        }
    }
}
