package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;

/** Waits for the next frame of a session, on the request's context. */
final class SessionWait {

    private SessionWait() {}

    /** Completes with whether a frame came before the time was up and while the caller was there. */
    static Future<Boolean> forFrame(RoutingContext request, FrameFollower follower, long waitMs) {
        Promise<Boolean> come = Promise.promise();
        long timer = request.vertx().setTimer(waitMs, up -> come.tryComplete(false));
        request.addEndHandler(gone -> come.tryComplete(false));
        follower.exceptionHandler(come::tryFail);
        follower.endHandler(closed -> come.tryComplete(false));
        follower.handler(frame -> come.tryComplete(true));
        return come.future().onComplete(done -> {
            request.vertx().cancelTimer(timer);
            follower.cancel();
        });
    }
}
