package io.penstock.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON object in a request's body, and fails with the exact reason if there is none. A large body is read once there is memory
 * for all of it. Runs on the request's context.
 */
final class RequestBody {

    /** The time for which a body that is too large is still read and dropped, because some clients read no answer while they send. */
    private static final long LINGER_MS = 5_000;

    private final AnswerBudget budget;
    private final RoutingContext routing;
    private final Vertx vertx;
    private final HttpServerRequest request;
    private final Promise<Buffer> whole = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private boolean acquiring;
    private AnswerBudget.@Nullable Share share;
    private long timer = -1;

    private RequestBody(AnswerBudget budget, RoutingContext routing) {
        this.budget = budget;
        this.routing = routing;
        this.vertx = routing.vertx();
        this.request = routing.request();
    }

    /** Reads a required body; call it before the first chunk can arrive. */
    static Future<RequestFields> required(AnswerBudget budget, RoutingContext request) {
        return bytes(budget, request).map(body -> {
            if (body.length() == 0) {
                throw wrong("The body is empty; a JSON object is expected");
            }
            return fields(request.request(), body);
        });
    }

    /** Reads a body that may be absent, because all of its fields may. */
    static Future<RequestFields> optional(AnswerBudget budget, RoutingContext request) {
        return bytes(budget, request)
                .map(body -> body.length() == 0
                        ? new RequestFields((ObjectNode) JsonText.EMPTY.toNode(), "")
                        : fields(request.request(), body));
    }

    private static Future<Buffer> bytes(AnswerBudget budget, RoutingContext request) {
        var body = new RequestBody(budget, request);
        body.read();
        return body.whole.future();
    }

    private void read() {
        request.handler(this::append);
        request.endHandler(end -> {
            if (share != null) {
                share.moved();
                share.resize((long) body.length() * HttpLimits.BODY_FACTOR);
            }
            whole.tryComplete(body);
        });
        request.exceptionHandler(
                broken -> whole.tryFail(HttpFailure.wrong(400, "The body ended early, or its chunks are malformed")));
        long declared = declared(request);
        whole.future().onComplete(done -> vertx.cancelTimer(timer));
        if (declared > HttpLimits.BODY_BYTES) {
            tooLarge();
        } else if (declared > HttpLimits.SMALL_BODY_BYTES) {
            acquire(declared);
        } else {
            awaitRest();
        }
    }

    private void append(Buffer chunk) {
        if (body.length() + chunk.length() > HttpLimits.BODY_BYTES) {
            tooLarge();
            return;
        }
        body.appendBuffer(chunk);
        if (share != null) {
            share.offered();
        } else if (!acquiring && body.length() > HttpLimits.SMALL_BODY_BYTES) {
            vertx.cancelTimer(timer);
            acquire(HttpLimits.BODY_BYTES);
        }
    }

    /** Reads no more of it until there is memory for all of it. */
    private void acquire(long bytes) {
        acquiring = true;
        request.pause();
        Context here = vertx.getOrCreateContext();
        Runnable breakOff = () -> here.runOnContext(v -> request.connection().close());
        budget.acquire(
                        vertx,
                        AnswerBudget.Kind.BODY,
                        routing.normalizedPath(),
                        bytes * HttpLimits.BODY_FACTOR,
                        breakOff)
                .onComplete(taken -> here.runOnContext(v -> {
                    if (taken.failed()) {
                        closeSoon();
                        request.handler(thrownAway -> {}).resume();
                        whole.tryFail(taken.cause());
                        return;
                    }
                    AnswerBudget.Share given = taken.result();
                    if (request.response().closed()) {
                        given.giveBack();
                        return;
                    }
                    share = given;
                    routing.addEndHandler(ended -> given.giveBack());
                    given.offered();
                    awaitRest();
                    request.resume();
                }));
    }

    private void awaitRest() {
        timer = vertx.setTimer(HttpLimits.BODY_SECONDS * 1000L, late -> {
            closeSoon();
            whole.tryFail(
                    HttpFailure.wrong(408, "The body has not arrived within " + HttpLimits.BODY_SECONDS + " seconds"));
        });
    }

    private void tooLarge() {
        request.handler(thrownAway -> {});
        closeSoon();
        whole.tryFail(
                HttpFailure.wrong(413, "The body is too large: it may have up to " + HttpLimits.BODY_BYTES + " bytes"));
    }

    private void closeSoon() {
        request.response().putHeader("connection", "close");
        vertx.setTimer(LINGER_MS, late -> request.connection().close());
    }

    private static long declared(HttpServerRequest request) {
        String length = request.getHeader("content-length");
        return length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
    }

    private static RequestFields fields(HttpServerRequest request, Buffer body) {
        checkType(request.getHeader("content-type"));
        return RequestFields.parse(body.getBytes(), "The body");
    }

    /** Requires the JSON type: pages of other sites can send other types without a CORS preflight. */
    private static void checkType(@Nullable String type) {
        String bare = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!bare.equals("application/json")) {
            throw HttpFailure.wrong(
                    415,
                    "The Content-Type must be application/json, "
                            + (type == null ? "and there is none" : "not \"" + type + "\""));
        }
    }

    private static Failure wrong(String message) {
        return new Failure(FailureCode.INVALID_REQUEST, message);
    }
}
