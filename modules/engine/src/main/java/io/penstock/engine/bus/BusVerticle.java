package io.penstock.engine.bus;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The door to tasks as addresses on the event bus. */
public final class BusVerticle extends VerticleBase {

    private final TaskApi tasks;

    public BusVerticle(TaskApi tasks) {
        this.tasks = tasks;
    }

    @Override
    public Future<?> start() {
        EventBus bus = vertx.eventBus();
        List<Future<?>> ready = new ArrayList<>();
        ready.add(answers(BusAddresses.SPAWN, TaskRequest.class, tasks::spawn));
        ready.add(answers(BusAddresses.CONTROL, TaskCommand.class, this::carryOut));
        ready.add(answers(BusAddresses.STATE, String.class, tasks::state));
        ready.add(answers(BusAddresses.LIST, TaskQuery.class, tasks::list));
        ready.add(answers(BusAddresses.FOLLOW, FollowFrames.class, this::follow));
        return Future.all(ready);
    }

    private <T, R> Future<?> answers(String address, Class<T> type, Function<T, Future<R>> operation) {
        return vertx.eventBus()
                .localConsumer(address, (Message<Object> asked) -> answer(address, type, operation, asked))
                .completion();
    }

    private static <T, R> void answer(
            String address, Class<T> type, Function<T, Future<R>> operation, Message<Object> asked) {
        Object body = asked.body();
        Future<R> done;
        try {
            done = operation.apply(checked(address, type, body));
        } catch (RuntimeException e) {
            done = Future.failedFuture(e);
        }
        done.onComplete(asked::reply, refused -> asked.reply(Refusal.of(refused)));
    }

    private static <T> T checked(String address, Class<T> type, @Nullable Object body) {
        if (!type.isInstance(body)) {
            throw new IllegalArgumentException(address + " takes a " + type.getSimpleName() + ", not "
                    + (body == null ? "nothing" : "a " + body.getClass().getSimpleName()));
        }
        return type.cast(body);
    }

    private Future<Void> carryOut(TaskCommand command) {
        return switch (command) {
            case TaskCommand.WriteInput write ->
                tasks.stdin(write.taskId(), write.bytes(), write.actor()).mapEmpty();
            case TaskCommand.Resize resize ->
                tasks.resize(resize.taskId(), resize.size(), resize.actor()).mapEmpty();
            case TaskCommand.Signal signal ->
                tasks.signal(signal.taskId(), signal.signal(), signal.actor()).mapEmpty();
            case TaskCommand.Cancel cancel -> tasks.cancel(cancel.taskId(), cancel.reason(), cancel.actor());
        };
    }

    /** Answers with the seq of the next frame to come, as it was when the following began. */
    private Future<Long> follow(FollowFrames wanted) {
        Promise<Long> begun = Promise.promise();
        tasks.state(wanted.taskId())
                .onFailure(begun::fail)
                .onSuccess(known -> context.runOnContext(here -> {
                    try {
                        FrameService.begin(vertx, tasks, wanted, known);
                        begun.complete(known.nextSeq());
                    } catch (RuntimeException e) {
                        begun.fail(e);
                    }
                }));
        return begun.future();
    }
}
