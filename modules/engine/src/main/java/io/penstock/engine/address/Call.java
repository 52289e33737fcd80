package io.penstock.engine.address;

import io.penstock.frames.Failure;
import io.vertx.core.Promise;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way, with the promise of its answer, which the service completes on its own thread. A reply over the bus would take
 * another turn of the caller's event loop, and output that a command causes could overtake the command's answer.
 *
 * @param unserved the failure of a request that no consumer serves
 */
record Call(Request<?, ?> request, Promise<@Nullable Object> answer, Supplier<? extends Failure> unserved) {

    void isUnserved() {
        answer.tryFail(unserved.get());
    }
}
