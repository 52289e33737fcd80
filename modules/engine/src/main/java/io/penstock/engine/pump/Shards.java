package io.penstock.engine.pump;

import io.penstock.engine.address.Address;
import io.penstock.engine.task.record.TaskOver;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The addresses of all shards. A task belongs to the shard that its id selects, wherever that shard runs. */
final class Shards {

    private final List<Address<ShardRequest<?>>> addresses;

    Shards(EventBus bus, List<String> addresses) {
        this.addresses = addresses.stream()
                .map(address -> new Address<ShardRequest<?>>(
                        bus, address, () -> new TaskOver("The server shuts down; nothing can be done with its tasks")))
                .toList();
    }

    /** The address of a shard of this node. */
    static String address(int number) {
        return "penstock.shard." + number;
    }

    /** Sends a request to the shard of this task; completes on the shard's thread. */
    <A extends @Nullable Object> Future<A> request(String taskId, ShardRequest<A> request) {
        return addresses.get(Math.floorMod(taskId.hashCode(), addresses.size())).requestAtOnce(request);
    }

    /** Sends a request to all shards; completes with all answers. */
    <A> Future<List<A>> requestAll(ShardRequest<A> request) {
        return Future.all(addresses.stream()
                        .map(address -> address.requestAtOnce(request))
                        .toList())
                .map(all -> all.<A>list());
    }
}
