package io.penstock.server.http;

import io.penstock.engine.pump.Audience;
import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.JsonFrames;
import io.penstock.engine.pump.SharedBatches;
import io.penstock.engine.pump.Showing;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.server.failure.HttpLimits;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's frames as server-sent events, history then live, as fast as the connection takes them. Lives on the request's context.
 */
final class EventStream implements Audience<Buffer> {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    /** Often enough for proxies that close what is silent for half a minute. */
    private static final long HEARTBEAT_MS = 15_000;

    /** What browsers wait before they come back by themselves. */
    private static final String OPENING = "retry: 1000\n\n";

    private static final String HEARTBEAT = ":\n\n";

    /** A comment, for whoever looks why there is no text from here on. */
    private static final String REMOVED =
            ": this output has been removed; what follows of it comes without its text\n\n";

    private static final Showing.Batches BATCHES =
            new Showing.Batches(HttpLimits.EVENT_BATCH_FRAMES, HttpLimits.EVENT_BATCH_BYTES);

    /** Of a frame as JSON, beside its text. */
    private static final int FRAME_BYTES = 400;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final Following following;
    private final JsonFrames shown;
    private final Showing<Buffer> showing;
    private boolean over;
    private long heartbeat;

    private EventStream(RoutingContext request, TaskApi tasks, Following following) {
        this.vertx = request.vertx();
        this.response = request.response();
        this.following = following;
        this.shown = tasks.jsonFrames(following);
        this.showing = new Showing<>(vertx, tasks, following, BATCHES, SharedBatches.none(), this);
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
        heartbeat = vertx.setPeriodic(HEARTBEAT_MS, beat -> {
            if (!response.writeQueueFull()) {
                response.write(HEARTBEAT);
            }
        });
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        response.drainHandler(drained -> showing.goOn());
        showing.begin();
    }

    @Override
    public boolean hasRoom() {
        return !response.writeQueueFull();
    }

    @Override
    public void goesOnWith(Frame frame, boolean heldUp) {}

    @Override
    public boolean shows(Frame frame) {
        return true;
    }

    @Override
    public int bytesOf(Frame frame) {
        return FRAME_BYTES
                + (frame.body() instanceof ToolTaskOutputDelta delta
                        ? Math.min(delta.bytes(), Limits.DELTA_INLINE_BYTES)
                        : 0);
    }

    @Override
    public void write(List<Frame> batch, Buffer events) {
        response.write(events);
    }

    @Override
    public Buffer messages(List<Frame> batch) throws IOException {
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

    @Override
    public void ended() {
        if (!over) {
            stop();
            response.end();
        }
    }

    @Override
    public void closed() {
        ended();
    }

    /** The stream ends without its end, which is how a viewer knows that it should come back for the rest. */
    @Override
    public void brokeOff(Throwable why) {
        if (!over) {
            if (why instanceof Failure || why instanceof IOException) {
                log.warn("The events of task {} broke off: {}", following.taskId(), String.valueOf(why));
            } else {
                log.error("The events of task {} broke off, by what nobody foresaw", following.taskId(), why);
            }
            stop();
            response.reset();
        }
    }

    private void stop() {
        over = true;
        showing.stop();
        shown.close();
        vertx.cancelTimer(heartbeat);
    }
}
