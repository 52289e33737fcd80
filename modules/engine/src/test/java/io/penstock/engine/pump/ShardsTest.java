package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.address.Service;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskState;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shard is known by its address alone, and may be anywhere. */
class ShardsTest {

    private static final Actor TESTER = Actor.user("tester");

    /** The other address, such as that of a gateway, forwards requests to the shards here. */
    @Test
    void shardBehindAnotherAddressServesSameCallers(@TempDir Path folder) {
        try (var engine = new RunningEngine(folder)) {
            EventBus bus = engine.vertx.eventBus();
            var here = new Shards(
                    bus,
                    IntStream.range(0, Runtime.getRuntime().availableProcessors())
                            .mapToObj(Shards::address)
                            .toList());
            Queue<ShardRequest<?>> passed = new ConcurrentLinkedQueue<>();
            await(Service.<ShardRequest<?>>serve(bus, "elsewhere.shard.7", request -> {
                passed.add(request);
                return here.request(taskOf(request), request);
            }));
            var elsewhere = new Shards(bus, List.of("elsewhere.shard.7"));
            String task = "a-task";
            await(elsewhere.request(
                    task,
                    new ShardRequest.Spawn(
                            task,
                            Wanted.bash("read x; exit 3", ExecutionMode.PTY).request())));
            finished(elsewhere.<@Nullable Long>request(
                    task, new ShardRequest.Command(new TaskCommand.WriteInput(task, new byte[] {'\r'}, TESTER))));
            engine.ended(task);
            TaskState ended = await(engine.tasks.state(task));
            assertEquals(
                    Outcome.NONZERO,
                    Objects.requireNonNull(ended.run().ending()).outcome());
            assertEquals(2, passed.size());
        }
    }

    @Test
    void requestToNoShardSaysThatTheServerShutsDown(@TempDir Path folder) {
        try (var engine = new RunningEngine(folder)) {
            var nowhere = new Shards(engine.vertx.eventBus(), List.of("nowhere"));
            Failure refused = assertThrows(
                    Failure.class,
                    () -> finished(nowhere.<@Nullable TaskState>request("a-task", new ShardRequest.State("a-task"))));
            assertEquals(FailureCode.TASK_NOT_READY, refused.code());
            assertTrue(String.valueOf(refused.getMessage()).contains("shuts down"), refused::getMessage);
        }
    }

    private static String taskOf(ShardRequest<?> request) {
        return switch (request) {
            case ShardRequest.Spawn spawn -> spawn.taskId();
            case ShardRequest.Command command -> command.command().taskId();
            case ShardRequest.State state -> state.taskId();
            case ShardRequest.Settled settled -> settled.taskId();
            case ShardRequest.Closed closed -> closed.taskId();
            case ShardRequest.Resume queued -> queued.task().taskId();
            case ShardRequest.Living _, ShardRequest.Parents _ -> throw new AssertionError("asked of all shards");
        };
    }
}
