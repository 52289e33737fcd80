package io.penstock.server.rpc;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.server.request.ErrorBody;
import io.vertx.core.json.JsonObject;

/**
 * An error as hosts read it.
 *
 * @param isFinal whether it is the answer to every repetition of the request; otherwise nothing has been decided
 */
record RpcRefusal(RpcCode code, String message, boolean retryable, boolean isFinal) {

    static RpcRefusal of(Throwable why) {
        Failure failure = ErrorBody.failure(why);
        RpcCode code = RpcCode.of(failure.code());
        boolean decided = code != RpcCode.INTERNAL_ERROR && failure.code() != FailureCode.IDEMPOTENCY_CONFLICT;
        return new RpcRefusal(code, String.valueOf(failure.getMessage()), failure.retryable(), decided);
    }

    static RpcRefusal notReady(String message) {
        return new RpcRefusal(RpcCode.TASK_NOT_READY, message, true, true);
    }

    static RpcRefusal dead(String message) {
        return new RpcRefusal(RpcCode.PI_PROCESS_DEAD, message, true, true);
    }

    JsonObject json() {
        return new JsonObject()
                .put("code", code.name())
                .put("message", message)
                .put("retryable", retryable)
                .put("details", new JsonObject());
    }
}
