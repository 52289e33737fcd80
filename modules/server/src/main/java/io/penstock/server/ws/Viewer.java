package io.penstock.server.ws;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.ScreenAt;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a task's frames to one who is attached, history then live. Nothing is kept for a viewer who does not keep up but the place
 * where it is: its follower waits, and nobody else's. Lives on its socket's context.
 */
final class Viewer implements Rooms.Guest {

    private static final Logger log = LoggerFactory.getLogger(Viewer.class);

    /** What has just happened is in memory, and a few pieces of it take less time than the way to a worker. */
    private static final int AT_ONCE = 4;

    private static final short OVER = 1000;
    private static final short GOING_AWAY = 1001;
    private static final short BROKEN = 1011;

    private final Vertx vertx;
    private final Context context;
    private final ServerWebSocket socket;
    private final Wire wire;
    private final TaskApi tasks;
    private final Following following;
    private final Rooms rooms;
    private final Unparsed unparsed = new Unparsed();
    private final FrameFollower follower;
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private final long pings;
    private boolean turnAwaited;
    private boolean reading;
    private boolean blocked;
    private boolean caughtUp;
    private boolean nothingMoreComes;
    private boolean othersChanged;
    private boolean over;

    Viewer(Vertx vertx, ServerWebSocket socket, Wire wire, TaskApi tasks, Following following, Rooms rooms) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.socket = socket;
        this.wire = wire;
        this.tasks = tasks;
        this.following = following;
        this.rooms = rooms;
        this.follower = tasks.follow(following.taskId(), following.fromSeq());
        this.pings = vertx.setPeriodic(WsLimits.PING_MS, beat -> socket.writePing(Buffer.buffer()));
        socket.closeHandler(closed -> stop());
        socket.exceptionHandler(broken -> stop());
        socket.drainHandler(drained -> {
            socket.resume();
            writeNext();
        });
    }

    /** @param screen as it was before the first frame that is shown; null to begin with that */
    void begin(@Nullable ScreenAt screen) {
        if (screen != null) {
            wire.screen(screen).forEach(this::write);
        }
        tellIfCaughtUp(following.fromSeq());
        if (following.isOver()) {
            close(OVER, "ended");
            return;
        }
        follower.exceptionHandler(this::breakOff);
        follower.endHandler(closed -> {
            nothingMoreComes = true;
            writeNext();
        });
        follower.handler(this::show);
    }

    /** Told beside the frames, at once. */
    void tell(JsonObject news) {
        Buffer message = over ? null : wire.news(news);
        if (message != null) {
            write(message);
        }
    }

    @Override
    public void othersChanged() {
        context.runOnContext(here -> {
            othersChanged = true;
            tellOfOthers();
        });
    }

    /** The newest only: one who does not read is not told of every step. */
    private void tellOfOthers() {
        if (othersChanged && !socket.writeQueueFull()) {
            othersChanged = false;
            tell(News.viewers(rooms.viewers(following.taskId())));
        }
    }

    void parsed(long nextSeq) {
        unparsed.parsed(nextSeq);
        writeNext();
    }

    private void show(Frame frame) {
        if (over) {
            return;
        }
        waiting.add(frame);
        if (waiting.size() >= WsLimits.BATCH_FRAMES) {
            follower.pause();
        }
        if (!turnAwaited) {
            // After all frames that there are now: one message for all of them.
            turnAwaited = true;
            context.runOnContext(now -> {
                turnAwaited = false;
                writeNext();
            });
        }
    }

    /** One batch after the other, each when the viewer has room for it. */
    private void writeNext() {
        if (over || reading) {
            return;
        }
        tellOfOthers();
        if (socket.writeQueueFull() || unparsed.isFull()) {
            blocked = true;
            follower.pause();
            return;
        }
        if (waiting.isEmpty()) {
            if (nothingMoreComes) {
                close(GOING_AWAY, "the server shuts down");
            } else {
                follower.resume();
            }
            return;
        }
        if (blocked) {
            blocked = false;
            tellIfBehind(waiting.element().seq());
        }
        List<Frame> batch = nextBatch();
        if (batch.size() <= AT_ONCE) {
            try {
                write(batch, wire.frames(batch));
            } catch (IOException | RuntimeException e) {
                breakOff(e);
            }
            return;
        }
        // History: its bytes may have to come from a disk, and nobody else is to wait for that.
        reading = true;
        vertx.executeBlocking(() -> wire.frames(batch), false).onComplete(read -> {
            reading = false;
            List<Buffer> messages = read.result();
            if (messages == null) {
                breakOff(read.cause());
            } else if (!over) {
                write(batch, messages);
            }
        });
    }

    private List<Frame> nextBatch() {
        var batch = new ArrayList<Frame>();
        int bytes = 0;
        while (!waiting.isEmpty() && bytes < WsLimits.BATCH_BYTES) {
            Frame frame = waiting.remove();
            batch.add(frame);
            bytes += bytesOf(frame);
            if (following.endsWith(frame)) {
                waiting.clear();
            }
        }
        return batch;
    }

    /** Of output that it is sent: what is beyond the cap is nowhere, so nobody can say that it is parsed. */
    private static int bytesOf(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta
                ? (int) Math.max(0, delta.bytesStored() - delta.offset())
                : 0;
    }

    private void write(List<Frame> batch, List<Buffer> messages) {
        messages.stream().filter(message -> message.length() > 0).forEach(this::write);
        Frame last = batch.getLast();
        batch.forEach(frame -> unparsed.sent(frame.seq() + 1, bytesOf(frame)));
        tellIfCaughtUp(last.seq() + 1);
        if (following.endsWith(last)) {
            close(OVER, "ended");
        } else {
            writeNext();
        }
    }

    private void write(Buffer message) {
        if (wire.isText()) {
            socket.writeTextMessage(message.toString());
        } else {
            socket.writeBinaryMessage(message);
        }
        if (socket.writeQueueFull()) {
            // Who does not listen is not heard either, so that answers do not pile up.
            socket.pause();
        }
    }

    private void tellIfCaughtUp(long nextSeq) {
        long there = following.known().nextSeq();
        if (!caughtUp && nextSeq >= there) {
            caughtUp = true;
            tell(News.caughtUp(there));
        }
    }

    private void tellIfBehind(long at) {
        tasks.state(following.taskId())
                .onSuccess(now -> context.runOnContext(here -> {
                    if (now.nextSeq() - at > WsLimits.BEHIND_FRAMES) {
                        tell(News.fellBehind(at, now.nextSeq()));
                    }
                }));
    }

    /** The connection ends without an end of its own, which is how a viewer knows that it should come back for the rest. */
    private void breakOff(Throwable why) {
        if (!over) {
            log.warn("A viewer of task {} was cut off: {}", following.taskId(), String.valueOf(why));
            close(BROKEN, "something went wrong; attach again from where you are");
        }
    }

    private void close(short code, String reason) {
        if (!over) {
            stop();
            socket.close(code, reason);
        }
    }

    private void stop() {
        if (!over) {
            over = true;
            vertx.cancelTimer(pings);
            follower.cancel();
            wire.close();
            rooms.leave(following.taskId(), this);
        }
    }
}
