package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.JsonFrames;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.server.failure.HttpLimits;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's frames as server-sent events, history then live. Nothing is kept for a viewer who does not keep up but the place where
 * it is: its follower waits, and nobody else's. Lives on the request's context.
 */
final class EventStream {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    /** Often enough for proxies that close what is silent for half a minute. */
    private static final long HEARTBEAT_MS = 15_000;

    /** What browsers wait before they come back by themselves. */
    private static final String OPENING = "retry: 1000\n\n";

    private static final String HEARTBEAT = ":\n\n";

    /** A comment, for whoever looks why there is no text from here on. */
    private static final String REMOVED =
            ": this output has been removed; what follows of it comes without its text\n\n";

    /** What has just happened is in memory, and a few pieces of it take less time than the way to a worker. */
    private static final int AT_ONCE = 4;

    /** Of a frame as JSON, beside its text. */
    private static final int FRAME_BYTES = 400;

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final String taskId;
    private final Following following;
    private final JsonFrames shown;
    private final FrameFollower follower;
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private boolean turnAwaited;
    private boolean reading;
    private boolean nothingMoreComes;
    private boolean over;
    private long heartbeat;

    private EventStream(RoutingContext request, TaskApi tasks, Following following) {
        this.vertx = request.vertx();
        this.context = vertx.getOrCreateContext();
        this.response = request.response();
        this.taskId = following.taskId();
        this.following = following;
        this.shown = tasks.jsonFrames(following);
        this.follower = tasks.follow(taskId, following.fromSeq());
    }

    /**
     * Answers the request with a stream.
     *
     * @param known the task's state at this moment
     * @param untilEnd whether to close after the frame that tells the end
     */
    static void open(
            RoutingContext request, TaskApi tasks, String taskId, TaskState known, long fromSeq, boolean untilEnd) {
        new EventStream(request, tasks, new Following(taskId, known, fromSeq, untilEnd)).begin();
    }

    private void begin() {
        response.setChunked(true)
                .putHeader("content-type", "text/event-stream")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff")
                // Some proxies gather answers unless told not to.
                .putHeader("x-accel-buffering", "no");
        response.write(OPENING);
        if (following.isOver()) {
            end();
            return;
        }
        heartbeat = vertx.setPeriodic(HEARTBEAT_MS, beat -> {
            if (!response.writeQueueFull()) {
                response.write(HEARTBEAT);
            }
        });
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        follower.exceptionHandler(this::breakOff);
        follower.endHandler(closed -> {
            nothingMoreComes = true;
            writeNext();
        });
        follower.handler(this::show);
    }

    private void show(Frame frame) {
        if (over) {
            return;
        }
        waiting.add(frame);
        if (waiting.size() >= HttpLimits.EVENT_BATCH_FRAMES) {
            follower.pause();
        }
        if (!turnAwaited) {
            // After all frames that there are now: one write for all of them.
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
        if (response.writeQueueFull()) {
            follower.pause();
            response.drainHandler(drained -> writeNext());
            return;
        }
        if (waiting.isEmpty()) {
            if (nothingMoreComes) {
                end();
            } else {
                follower.resume();
            }
            return;
        }
        List<Frame> batch = nextBatch();
        if (batch.size() <= AT_ONCE) {
            try {
                write(batch, events(batch));
            } catch (IOException | RuntimeException e) {
                breakOff(e);
            }
            return;
        }
        // History: its text may have to come from a disk, and nobody else is to wait for that.
        reading = true;
        vertx.executeBlocking(() -> events(batch), false).onComplete(read -> {
            reading = false;
            Buffer events = read.result();
            if (events == null) {
                breakOff(read.cause());
            } else if (!over) {
                write(batch, events);
            }
        });
    }

    private void write(List<Frame> batch, Buffer events) {
        response.write(events);
        if (following.endsWith(batch.getLast())) {
            end();
        } else {
            writeNext();
        }
    }

    /** Up to the last that is to be shown, and not many more bytes than fit into one write. */
    private List<Frame> nextBatch() {
        var batch = new ArrayList<Frame>();
        int bytes = 0;
        while (!waiting.isEmpty() && bytes < HttpLimits.EVENT_BATCH_BYTES) {
            Frame frame = waiting.remove();
            batch.add(frame);
            bytes += FRAME_BYTES
                    + (frame.body() instanceof ToolTaskOutputDelta delta
                            ? Math.min(delta.bytes(), Limits.DELTA_INLINE_BYTES)
                            : 0);
            if (following.endsWith(frame)) {
                waiting.clear();
            }
        }
        return batch;
    }

    /** By one thread at a time. */
    private Buffer events(List<Frame> batch) throws IOException {
        Buffer events = Buffer.buffer();
        for (Frame frame : batch) {
            int gone = shown.removed().size();
            byte[] json = shown.of(frame);
            if (shown.removed().size() > gone) {
                events.appendString(REMOVED);
            }
            events.appendString("id: " + frame.seq() + "\ndata: ")
                    .appendBytes(json)
                    .appendString("\n\n");
        }
        return events;
    }

    private void end() {
        if (!over) {
            stop();
            response.end();
        }
    }

    /** The stream ends without its end, which is how a viewer knows that it should come back for the rest. */
    private void breakOff(Throwable why) {
        if (!over) {
            log.warn("The events of task {} broke off: {}", taskId, String.valueOf(why));
            stop();
            response.reset();
        }
    }

    private void stop() {
        over = true;
        shown.close();
        vertx.cancelTimer(heartbeat);
        follower.cancel();
    }
}
