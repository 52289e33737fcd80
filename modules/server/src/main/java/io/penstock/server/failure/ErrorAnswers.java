package io.penstock.server.failure;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.ErrorBody;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The uniform error body, {@code {"error":{code, message, retryable, details}}}. */
public final class ErrorAnswers {

    private static final RequestLog log = new RequestLog(LoggerFactory.getLogger(ErrorAnswers.class));

    private ErrorAnswers() {}

    /** Answers every failure of this router in that form; call it before adding routes. */
    public static void add(Router router) {
        router.route().failureHandler(ErrorAnswers::answer);
        router.errorHandler(404, ErrorAnswers::nothingHere);
        // No route accepts this method; but the routes of the pages match every path, so the path may still not exist.
        router.errorHandler(405, ErrorAnswers::nothingHere);
        // Detected by the router itself while matching.
        router.errorHandler(400, request -> send(request.response(), 400, unreadable(request.failure())));
        router.errorHandler(500, ErrorAnswers::answer);
    }

    public static int status(FailureCode code) {
        return switch (code) {
            case INVALID_REQUEST -> 400;
            case PERMISSION_DENIED, POLICY_DENIED -> 403;
            case STREAM_NOT_FOUND, TASK_NOT_FOUND, SESSION_NOT_FOUND, TOOL_NOT_FOUND, ARTIFACT_NOT_FOUND -> 404;
            case TASK_NOT_READY, STREAM_HAS_WRITER, OUTCOME_UNKNOWN -> 409;
            case ARTIFACT_GONE, TASK_GONE, SESSION_GONE -> 410;
            case IDEMPOTENCY_CONFLICT -> 422;
            case QUOTA_EXCEEDED -> 429;
            case ILLEGAL_FRAME, MALFORMED_FRAME, INTERNAL_ERROR -> 500;
            case WRITER_FENCED, NODE_FENCED, LOG_BACKLOGGED, LOG_UNAVAILABLE, DATABASE_UNAVAILABLE -> 503;
        };
    }

    /** Answers bytes that cannot be parsed as a request. */
    public static void unreadable(HttpServerRequest request) {
        var failure = new Failure(
                FailureCode.INVALID_REQUEST,
                "This is not an HTTP request that can be read. Its first line has at most "
                        + HttpLimits.FIRST_LINE_BYTES + " bytes, its headers together at most "
                        + HttpLimits.HEADER_BYTES);
        request.response().putHeader("connection", "close");
        send(request.response(), 400, failure);
    }

    private static void nothingHere(RoutingContext request) {
        send(
                request.response(),
                404,
                new Failure(
                        FailureCode.INVALID_REQUEST,
                        "There is nothing at " + request.request().method() + " "
                                + request.request().path() + "; tasks are at /tasks"));
    }

    private static void answer(RoutingContext request) {
        HttpServerResponse response = request.response();
        Throwable cause = request.failure();
        if (response.headWritten()) {
            // Half of the answer is already sent; only closing the connection can signal that it is incomplete.
            log.warn("The answer to " + place(request) + " was aborted: " + cause);
            request.request().connection().close();
        } else if (cause instanceof HttpFailure failure) {
            send(response, failure.status(), failure);
        } else if (cause instanceof Failure failure && failure.code() != FailureCode.INTERNAL_ERROR) {
            int status = status(failure.code());
            if (status >= 500) {
                log.warn(place(request) + " failed: " + failure.getMessage());
            }
            send(response, status, failure);
        } else if (request.statusCode() == 404) {
            nothingHere(request);
        } else if (request.statusCode() >= 400 && request.statusCode() < 500) {
            send(response, request.statusCode(), unreadable(cause));
        } else {
            log.error(place(request) + " failed unexpectedly", cause);
            send(response, 500, Failure.forCallers(new IllegalStateException(cause)));
        }
    }

    private static Failure unreadable(@Nullable Throwable cause) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "The request's Host header, path or query cannot be read; special characters are written as %XX in UTF-8",
                cause);
    }

    /** Without the query and the headers, which may contain secrets. */
    private static String place(RoutingContext request) {
        return request.request().method() + " " + request.request().path();
    }

    private static void send(HttpServerResponse response, int status, Failure failure) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (status == 429 || status == 503) {
            response.putHeader("retry-after", "1");
        }
        String first = failure.details().get("first_offset_bytes");
        if (first != null) {
            response.putHeader("x-penstock-first-offset", first);
        }
        AnswerHeaders.json(response)
                .setStatusCode(status)
                .end(new JsonObject().put("error", ErrorBody.of(failure)).toBuffer());
    }
}
