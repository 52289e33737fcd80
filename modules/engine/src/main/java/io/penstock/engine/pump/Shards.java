package io.penstock.engine.pump;

import io.penstock.engine.codec.Codecs;
import io.penstock.engine.task.record.TaskOver;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the shards on the event bus: the only way to them. A task belongs to the shard that its id selects, wherever that
 * shard runs. May be called from any thread.
 */
public final class Shards {

    private final EventBus bus;
    private final List<String> addresses;
    private final DeliveryOptions options;

    Shards(EventBus bus, List<String> addresses) {
        this.bus = bus;
        this.addresses = List.copyOf(addresses);
        this.options = new DeliveryOptions().setCodecName(Codecs.named(bus, ShardCall.class));
    }

    /** The address of a shard of this node. */
    static String address(int number) {
        return "penstock.shard." + number;
    }

    /** Carries out the requests that arrive at an address. */
    static Future<Void> serve(EventBus bus, String address, Function<ShardRequest, Future<?>> shard) {
        return bus.localConsumer(
                        address, (Message<ShardCall> message) -> message.body().answer(shard))
                .completion();
    }

    /** Sends a request to the shard of this task. */
    <T extends @Nullable Object> Future<T> request(String taskId, ShardRequest request) {
        return send(addresses.get(Math.floorMod(taskId.hashCode(), addresses.size())), request);
    }

    /** Sends a request to all shards; completes with all answers. */
    <T> Future<List<T>> requestAll(ShardRequest request) {
        return Future.all(addresses.stream()
                        .map(address -> this.<T>send(address, request))
                        .toList())
                .map(all -> all.<T>list());
    }

    @SuppressWarnings("unchecked") // each request says what its answer is
    private <T extends @Nullable Object> Future<T> send(String address, ShardRequest request) {
        Promise<@Nullable Object> answer = Promise.promise();
        bus.<ShardCall>sender(address, options)
                .write(new ShardCall(request, answer))
                .onFailure(unreached ->
                        answer.tryFail(new TaskOver("The server shuts down; nothing can be done with its tasks")));
        return (Future<T>) answer.future();
    }
}
