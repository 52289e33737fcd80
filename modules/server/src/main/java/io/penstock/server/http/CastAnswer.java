package io.penstock.server.http;

import io.penstock.engine.screen.CastRecording;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a recording piece by piece, the next one being made when there is room for it. Lives on the request's context. */
final class CastAnswer {

    private static final Logger log = LoggerFactory.getLogger(CastAnswer.class);

    private final Context context;
    private final HttpServerResponse response;
    private final String taskId;
    private final CastRecording recording;

    CastAnswer(RoutingContext request, String taskId, CastRecording recording) {
        this.context = request.vertx().getOrCreateContext();
        this.response = request.response();
        this.taskId = taskId;
        this.recording = recording;
    }

    void send() {
        response.setChunked(true)
                .putHeader("content-type", "application/x-asciicast")
                .putHeader(
                        "content-disposition",
                        "attachment; filename=\"" + taskId.replaceAll("[^A-Za-z0-9._-]", "_") + ".cast\"")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff");
        next();
    }

    private void next() {
        recording
                .next()
                .onComplete(made -> context.runOnContext(here -> {
                    if (response.closed()) {
                        return;
                    }
                    if (made.failed()) {
                        // Its end is missing, which is how who reads it knows that it is not whole.
                        log.warn("The recording of task {} broke off: {}", taskId, String.valueOf(made.cause()));
                        response.reset();
                    } else if (made.result().length() == 0) {
                        response.end();
                    } else {
                        response.write(made.result());
                        if (response.writeQueueFull()) {
                            response.drainHandler(drained -> next());
                        } else {
                            next();
                        }
                    }
                }));
    }
}
