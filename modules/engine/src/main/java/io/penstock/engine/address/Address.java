package io.penstock.engine.address;

import io.penstock.frames.Failure;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An address on the event bus that takes requests of one kind: all that callers know of the {@link Service} behind it. Requests and
 * answers are handed over by reference. May be called from any thread.
 */
public final class Address<K> {

    private final EventBus bus;
    private final String name;
    private final Supplier<? extends Failure> unserved;
    private final DeliveryOptions options;

    /** @param unserved the failure of requests that no consumer serves */
    public Address(EventBus bus, String name, Supplier<? extends Failure> unserved) {
        this.bus = bus;
        this.name = name;
        this.unserved = unserved;
        this.options = new DeliveryOptions().setLocalOnly(true).setCodecName(Codecs.named(bus, Call.class));
    }

    /** Completes with the answer on the caller's context, if it has one. */
    public <A extends @Nullable Object> Future<A> request(Request<K, A> request) {
        Context caller = Vertx.currentContext();
        Future<A> answer = requestAtOnce(request);
        if (caller == null || answer.isComplete()) {
            return answer;
        }
        return Contexts.on(caller, answer);
    }

    /** Completes with the answer on the thread that answers, before anything that happens there afterwards. */
    @SuppressWarnings("unchecked") // the request says what its answer is
    public <A extends @Nullable Object> Future<A> requestAtOnce(Request<K, A> request) {
        var call = new Call(request, Promise.promise(), unserved);
        bus.<Call>sender(name, options).write(call).onFailure(unreached -> call.isUnserved());
        return (Future<A>) call.answer().future();
    }
}
