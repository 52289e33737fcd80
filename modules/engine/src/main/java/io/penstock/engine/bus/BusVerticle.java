package io.penstock.engine.bus;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.session.SessionApi;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Serves the operations on tasks and sessions at addresses of the event bus. */
public final class BusVerticle extends VerticleBase {

    private final TaskApi tasks;
    private final SessionApi sessions;

    public BusVerticle(TaskApi tasks, SessionApi sessions) {
        this.tasks = tasks;
        this.sessions = sessions;
    }

    @Override
    public Future<?> start() {
        List<Future<?>> ready = new ArrayList<>();
        ready.add(serve(BusAddresses.SPAWN, TaskRequest.class, tasks::spawn));
        ready.add(serve(
                BusAddresses.CONTROL,
                TaskCommand.class,
                command -> tasks.apply(command).<Void>mapEmpty()));
        ready.add(serve(BusAddresses.STATE, String.class, tasks::state));
        ready.add(serve(BusAddresses.LIST, TaskQuery.class, tasks::list));
        ready.add(serve(BusAddresses.SESSION, String.class, sessions::state));
        ready.add(serve(
                BusAddresses.MAILBOX,
                ReadMailbox.class,
                read -> sessions.mailbox(read.sessionId(), read.fromSeq(), read.limit())));
        ready.add(serve(
                BusAddresses.ACKNOWLEDGE,
                AcknowledgeMailbox.class,
                ack -> sessions.acknowledge(ack.sessionId(), ack.throughSeq(), ack.actor())));
        ready.add(serve(BusAddresses.FOLLOW, FollowFrames.class, this::follow));
        return Future.all(ready);
    }

    private <T, R> Future<?> serve(String address, Class<T> type, Function<T, Future<R>> operation) {
        return vertx.eventBus()
                .localConsumer(address, (Message<Object> request) -> reply(address, type, operation, request))
                .completion();
    }

    private static <T, R> void reply(
            String address, Class<T> type, Function<T, Future<R>> operation, Message<Object> request) {
        Object body = request.body();
        Future<R> done;
        try {
            done = operation.apply(checked(address, type, body));
        } catch (RuntimeException e) {
            done = Future.failedFuture(e);
        }
        done.onComplete(request::reply, failure -> request.reply(Refusal.of(failure)));
    }

    private static <T> T checked(String address, Class<T> type, @Nullable Object body) {
        if (!type.isInstance(body)) {
            throw new IllegalArgumentException(address + " takes a " + type.getSimpleName() + ", not "
                    + (body == null ? "nothing" : "a " + body.getClass().getSimpleName()));
        }
        return type.cast(body);
    }

    /** Replies with the seq that the next frame had at the start. */
    private Future<Long> follow(FollowFrames wanted) {
        Promise<Long> started = Promise.promise();
        tasks.state(wanted.taskId())
                .onFailure(started::fail)
                .onSuccess(known -> context.runOnContext(here -> {
                    try {
                        FrameService.start(vertx, tasks, wanted, known);
                        started.complete(known.nextSeq());
                    } catch (RuntimeException e) {
                        started.fail(e);
                    }
                }));
        return started.future();
    }
}
