package io.penstock.engine.host;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.json.JsonObject;

/**
 * An error as hosts read it.
 *
 * @param isFinal whether it is the answer to every repetition of the request; otherwise nothing has been decided
 */
record HostRefusal(HostCode code, String message, boolean retryable, boolean isFinal) {

    static HostRefusal of(Throwable why) {
        Failure failure = Failure.forCallers(why);
        HostCode code = HostCode.of(failure.code());
        boolean decided = code != HostCode.INTERNAL_ERROR && failure.code() != FailureCode.IDEMPOTENCY_CONFLICT;
        return new HostRefusal(code, String.valueOf(failure.getMessage()), failure.retryable(), decided);
    }

    static HostRefusal notReady(String message) {
        return new HostRefusal(HostCode.TASK_NOT_READY, message, true, true);
    }

    static HostRefusal dead(String message) {
        return new HostRefusal(HostCode.PI_PROCESS_DEAD, message, true, true);
    }

    JsonObject json() {
        return new JsonObject()
                .put("code", code.name())
                .put("message", message)
                .put("retryable", retryable)
                .put("details", new JsonObject());
    }
}
