package io.penstock.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the JSON object that a request has as its body, and says exactly what is wrong where it has none. */
final class RequestBody {

    /** How long what is too much is still read and thrown away: who hears no answer while sending would not see it at all. */
    private static final long LINGER_MS = 5_000;

    private RequestBody() {}

    /** To be called at once, before any of the body can have gone by. */
    static Future<RequestFields> required(Vertx vertx, HttpServerRequest request) {
        return bytes(vertx, request).map(body -> {
            if (body.length() == 0) {
                throw wrong("The body is empty; a JSON object is expected");
            }
            return fields(request, body);
        });
    }

    /** The same where all fields may be left out, and the body with them. */
    static Future<RequestFields> optional(Vertx vertx, HttpServerRequest request) {
        return bytes(vertx, request)
                .map(body -> body.length() == 0
                        ? new RequestFields((ObjectNode) JsonText.EMPTY.toNode(), "")
                        : fields(request, body));
    }

    private static Future<Buffer> bytes(Vertx vertx, HttpServerRequest request) {
        Promise<Buffer> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() <= HttpLimits.BODY_BYTES) {
                body.appendBuffer(chunk);
            } else {
                tooLarge(vertx, request, whole);
            }
        });
        request.endHandler(end -> whole.tryComplete(body));
        request.exceptionHandler(broken ->
                whole.tryFail(HttpFailure.wrong(400, "The body broke off, or its chunks are not as HTTP has them")));
        if (declared(request) > HttpLimits.BODY_BYTES) {
            tooLarge(vertx, request, whole);
        }
        long timer = vertx.setTimer(HttpLimits.BODY_SECONDS * 1000L, late -> {
            closeSoon(vertx, request);
            whole.tryFail(
                    HttpFailure.wrong(408, "The body has not arrived within " + HttpLimits.BODY_SECONDS + " seconds"));
        });
        return whole.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    private static void tooLarge(Vertx vertx, HttpServerRequest request, Promise<Buffer> whole) {
        request.handler(thrownAway -> {});
        closeSoon(vertx, request);
        whole.tryFail(
                HttpFailure.wrong(413, "The body is too large: it may have up to " + HttpLimits.BODY_BYTES + " bytes"));
    }

    private static void closeSoon(Vertx vertx, HttpServerRequest request) {
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

    /** A page of another site can send other types without being asked for leave, so JSON has to be called JSON. */
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
