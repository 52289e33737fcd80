package io.penstock.engine.address;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.impl.MessageConsumerImpl;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers the requests that arrive at an address, on the context that it is created on. */
public interface Service<K> {

    /** A thrown {@code IllegalArgumentException} says what is wrong with the request. */
    Future<?> answer(K request);

    /** Completes when requests are answered; undeploying the verticle ends it, and fails the requests that are on their way. */
    static <K> Future<Void> serve(EventBus bus, String address, Service<K> service) {
        MessageConsumer<Call> consumer = bus.localConsumer(address);
        // Vert.x drops a message that arrives while its consumer ends, and tells only the implementation of the
        // consumer.
        ((MessageConsumerImpl<Call>) consumer)
                .discardHandler(message -> message.body().isUnserved());
        return consumer.handler(message -> answer(service, message.body())).completion();
    }

    /**
     * Carries out a request on a worker, beside others: a slow one delays none. Completes there, which saves a turn of the service's event
     * loop.
     */
    static <A extends @Nullable Object> Future<A> onWorker(Vertx vertx, Callable<A> blocking) {
        Promise<A> answer = Promise.promise();
        vertx.executeBlocking(
                        () -> {
                            answer.complete(blocking.call());
                            return blocking;
                        },
                        false)
                .onFailure(answer::tryFail);
        return answer.future();
    }

    @SuppressWarnings("unchecked") // an Address takes requests of its kind only
    private static <K> void answer(Service<K> service, Call call) {
        attempt(service::answer, (K) call.request()).onComplete(done -> {
            if (done.succeeded()) {
                call.answer().tryComplete(done.result());
            } else {
                call.answer().tryFail(done.cause());
            }
        });
    }

    private static <K> Future<?> attempt(Function<K, Future<?>> service, K request) {
        try {
            return service.apply(request);
        } catch (Failure e) {
            return Future.failedFuture(e);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
        } catch (RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }
}
