package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request on its way to a session's owner, and the place for its answer, which the owner completes on its own thread. */
record SessionCall(SessionRequest request, Promise<@Nullable Object> answer) {

    void answer(Function<SessionRequest, Future<?>> owner) {
        owner.apply(request).onComplete(done -> {
            if (done.succeeded()) {
                answer.tryComplete(done.result());
            } else {
                answer.tryFail(done.cause());
            }
        });
    }
}
