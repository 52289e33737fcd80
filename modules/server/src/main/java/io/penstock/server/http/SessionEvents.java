package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.server.budget.BytesInFlight;
import io.penstock.server.guard.Guard;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session's frames as server-sent events, as fast as the connection accepts them. Lives on the request's context. */
final class SessionEvents {

    private static final Logger log = LoggerFactory.getLogger(SessionEvents.class);

    private final RoutingContext request;
    private final HttpServerResponse response;
    private final FrameFollower follower;
    private final BytesInFlight underWay;
    private final long endSeq;
    private long heartbeat = -1;
    private Runnable closed = () -> {};
    private boolean over;

    private SessionEvents(RoutingContext request, FrameFollower follower, long endSeq) {
        this.request = request;
        this.response = request.response();
        this.follower = follower;
        this.endSeq = endSeq;
        Context here = request.vertx().getOrCreateContext();
        this.underWay = new BytesInFlight(() -> here.runOnContext(v -> follower.resume()));
    }

    /** @param endSeq the first frame that is not sent; beyond all frames for a stream that stays open */
    static void open(RoutingContext request, FrameFollower follower, long fromSeq, long endSeq) {
        var events = new SessionEvents(request, follower, endSeq);
        if (fromSeq < endSeq) {
            events.start();
        } else {
            EventStream.head(events.response);
            events.end();
        }
    }

    private void start() {
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        Context here = request.vertx().getOrCreateContext();
        closed = Guard.closeOnSignOut(request, () -> here.runOnContext(v -> signedOut()));
        EventStream.head(response);
        heartbeat = request.vertx().setPeriodic(EventStream.HEARTBEAT_MS, beat -> {
            if (!underWay.isFull()) {
                response.write(EventStream.HEARTBEAT);
            }
        });
        follower.endHandler(closed -> end());
        follower.exceptionHandler(why -> {
            log.warn("The events of a session broke off: {}", String.valueOf(why));
            stop();
            response.reset();
        });
        follower.handler(this::send);
    }

    private void send(Frame frame) {
        if (over) {
            return; // a frame that came before the follower was cancelled
        }
        Buffer event = Buffer.buffer()
                .appendString("id: " + frame.seq() + "\ndata: ")
                .appendBytes(FrameJson.toBytes(frame))
                .appendString("\n\n");
        underWay.add(event.length(), response.write(event));
        if (frame.seq() + 1 == endSeq) {
            end();
        } else if (underWay.isFull()) {
            follower.pause();
        }
    }

    private void end() {
        stop();
        response.end();
    }

    /** As in {@link EventStream}. */
    private void signedOut() {
        if (!over) {
            stop();
            response.write(EventStream.SIGNED_OUT).onComplete(written -> response.reset());
        }
    }

    private void stop() {
        over = true;
        closed.run();
        follower.cancel();
        request.vertx().cancelTimer(heartbeat);
    }
}
