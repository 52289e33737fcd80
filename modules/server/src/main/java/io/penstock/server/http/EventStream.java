package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.view.BatchLimits;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.engine.view.JsonFrames;
import io.penstock.engine.view.SharedBatches;
import io.penstock.engine.view.ViewSession;
import io.penstock.engine.view.ViewSink;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.server.budget.BytesInFlight;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's frames as server-sent events: history, then live, at the speed of the connection. Runs on the request's context.
 */
final class EventStream implements ViewSink<Buffer> {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    /** Some proxies close a connection that is silent for 30 s. */
    static final long HEARTBEAT_MS = 15_000;

    /** Sets the delay before browsers reconnect by themselves. */
    private static final String OPENING = "retry: 1000\n\n";

    static final String HEARTBEAT = ":\n\n";

    /** A comment for people who miss the text from here on. */
    private static final String REMOVED = ": this output was removed; its later frames have no text\n\n";

    /** A comment, before the stream ends without its end. */
    static final String SIGNED_OUT = ": the browser has signed out; sign in again\n\n";

    private static final BatchLimits BATCHES =
            new BatchLimits(HttpLimits.EVENT_BATCH_FRAMES, HttpLimits.EVENT_BATCH_BYTES);

    /** The estimated size of a frame's JSON without its text. */
    private static final int FRAME_BYTES = 400;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final FollowRange following;
    private final JsonFrames shown;

    /** The offset in each channel at which text ends. */
    private final long textLimit;

    private final ViewSession<Buffer> session;
    private final RoutingContext request;
    private final BytesInFlight inFlight;
    private boolean opened;
    private boolean over;
    private long heartbeat = -1;
    private Runnable closed = () -> {};

    private EventStream(RoutingContext request, TaskApi tasks, FollowRange following, InlineText inline) {
        this.request = request;
        this.vertx = request.vertx();
        this.response = request.response();
        this.following = following;
        this.shown = tasks.jsonFrames(following, inline);
        this.textLimit = inline.limit(following.known().spec());
        var session = new ViewSession<>(vertx, tasks::follow, following, BATCHES, SharedBatches.none(), this);
        this.session = session;
        Context here = vertx.getOrCreateContext();
        this.inFlight = new BytesInFlight(() -> here.runOnContext(v -> session.advance()));
    }

    /** Answers the request with a stream. */
    static void open(RoutingContext request, TaskApi tasks, FollowRange following, InlineText inline) {
        new EventStream(request, tasks, following, inline).start();
    }

    private void start() {
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        Context here = vertx.getOrCreateContext();
        closed = Guard.closeOnSignOut(request, () -> here.runOnContext(v -> signedOut()));
        if (following.fromSeq() >= following.known().nextSeq()) {
            open();
        }
        session.start();
    }

    /** Sends the head. If there is history, this waits for its first frame, so that a failed read still has its status. */
    private void open() {
        if (opened) {
            return;
        }
        opened = true;
        head(response);
        heartbeat = vertx.setPeriodic(HEARTBEAT_MS, beat -> {
            if (!inFlight.isFull()) {
                response.write(HEARTBEAT);
            }
        });
    }

    /** Begins an answer that is a stream of events. */
    static void head(HttpServerResponse response) {
        AnswerHeaders.momentary(response, "text/event-stream")
                .setChunked(true)
                // Some proxies buffer answers unless this header is set.
                .putHeader("x-accel-buffering", "no");
        response.write(OPENING);
    }

    @Override
    public boolean hasRoom() {
        return !inFlight.isFull();
    }

    @Override
    public int weigh(Frame frame) {
        return FRAME_BYTES
                + (frame.body() instanceof ToolTaskOutputDelta delta
                        ? Math.clamp(textLimit - delta.offset(), 0, delta.bytes())
                        : 0);
    }

    @Override
    public void write(List<Frame> batch, Buffer events) {
        open();
        inFlight.add(events.length(), response.write(events));
    }

    @Override
    public Buffer encode(List<Frame> batch) throws IOException {
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
    public void delayed(Throwable why, long forMs) {
        if (over) {
            return;
        }
        if (opened) {
            if (forMs >= WAITS_AT_MOST_MS) {
                failed(why);
            }
        } else {
            stop();
            long newFrom = following.known().nextSeq();
            request.fail(new Failure(
                    FailureCode.DATABASE_UNAVAILABLE,
                    "The events of task " + following.taskId() + " from " + following.fromSeq()
                            + " on are in Postgres. " + why.getMessage()
                            + ". Try again later; what is new can be followed"
                            + " meanwhile, with from_seq=" + newFrom,
                    why));
        }
    }

    @Override
    public void ended() {
        if (!over) {
            open();
            stop();
            response.end();
        }
    }

    @Override
    public void closed() {
        ended();
    }

    /** Breaks the stream off without its final chunk, so that the client reconnects for the rest. */
    @Override
    public void failed(Throwable why) {
        if (!over) {
            if (why instanceof Failure || why instanceof IOException) {
                log.warn("The events of task {} broke off: {}", following.taskId(), String.valueOf(why));
            } else {
                log.error("The events of task {} broke off unexpectedly", following.taskId(), why);
            }
            stop();
            if (opened) {
                response.reset();
            } else {
                request.fail(why);
            }
        }
    }

    /** The stream stops before its end: a client that reconnects for the rest is asked to sign in. */
    private void signedOut() {
        if (!over) {
            open();
            stop();
            response.write(SIGNED_OUT).onComplete(written -> response.reset());
        }
    }

    private void stop() {
        over = true;
        closed.run();
        session.stop();
        shown.close();
        vertx.cancelTimer(heartbeat);
    }
}
