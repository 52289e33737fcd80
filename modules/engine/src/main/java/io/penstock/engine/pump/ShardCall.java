package io.penstock.engine.pump;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request to a shard, with the promise of its answer. The shard completes it on its own thread: a reply over the bus would take
 * another turn of the caller's event loop, and output that a command causes could overtake the command's answer.
 */
record ShardCall(ShardRequest request, Promise<@Nullable Object> answer) {

    void answer(Function<ShardRequest, Future<?>> shard) {
        shard.apply(request).onComplete(done -> {
            if (done.succeeded()) {
                answer.tryComplete(done.result());
            } else {
                answer.tryFail(done.cause());
            }
        });
    }
}
