package io.penstock.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.failure.HttpLimits;
import io.penstock.server.request.JsonFields;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the JSON object that a request has as its body, and says exactly what is wrong where it has none. */
final class RequestBody {

    /** How long what is too much is still read and thrown away: who hears no answer while sending would not see it at all. */
    private static final long LINGER_MS = 5_000;

    private RequestBody() {}

    /** To be called at once, before any of the body can have gone by. */
    static Future<JsonFields> required(Vertx vertx, HttpServerRequest request) {
        return bytes(vertx, request).map(body -> {
            if (body.length() == 0) {
                throw wrong("The body is empty; a JSON object is expected");
            }
            return fields(request, body);
        });
    }

    /** The same where all fields may be left out, and the body with them. */
    static Future<JsonFields> optional(Vertx vertx, HttpServerRequest request) {
        return bytes(vertx, request)
                .map(body -> body.length() == 0
                        ? new JsonFields((ObjectNode) JsonText.EMPTY.toNode(), "")
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
        request.exceptionHandler(whole::tryFail);
        if (declared(request) > HttpLimits.BODY_BYTES) {
            tooLarge(vertx, request, whole);
        }
        long timer = vertx.setTimer(
                HttpLimits.BODY_SECONDS * 1000L,
                late -> whole.tryFail(HttpFailure.wrong(
                        408, "The body has not arrived within " + HttpLimits.BODY_SECONDS + " seconds")));
        return whole.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    private static void tooLarge(Vertx vertx, HttpServerRequest request, Promise<Buffer> whole) {
        request.handler(thrownAway -> {});
        request.response().putHeader("connection", "close");
        vertx.setTimer(LINGER_MS, late -> request.connection().close());
        whole.tryFail(
                HttpFailure.wrong(413, "The body is too large: it may have up to " + HttpLimits.BODY_BYTES + " bytes"));
    }

    private static long declared(HttpServerRequest request) {
        String length = request.getHeader("content-length");
        return length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
    }

    private static JsonFields fields(HttpServerRequest request, Buffer body) {
        checkType(request.getHeader("content-type"));
        try {
            return new JsonFields((ObjectNode) new JsonText(utf8(body)).toNode(), "");
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.INVALID_REQUEST, "The body cannot be used. " + e.getMessage(), e);
        }
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

    private static String utf8(Buffer body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("It is not text in UTF-8", e);
        }
    }

    private static Failure wrong(String message) {
        return new Failure(FailureCode.INVALID_REQUEST, message);
    }
}
