package io.penstock.engine.bus;

import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.shareddata.Shareable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Receives frames as they are accepted, on the context that it was created on. Publishing costs time for every frame, and the bus does not
 * show whether an address has consumers; so the subscriptions are counted, and only frames with a subscriber are published.
 */
public final class FrameSubscription {

    /** The number of subscriptions at each address of this Vert.x. */
    static final class Listeners implements Shareable {
        private static final String MAP = "penstock.bus";

        private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

        static Listeners of(Vertx vertx) {
            return vertx.sharedData()
                    .<String, Listeners>getLocalMap(MAP)
                    .computeIfAbsent("listeners", name -> new Listeners());
        }

        boolean none() {
            return counts.isEmpty();
        }

        boolean at(String address) {
            return counts.containsKey(address);
        }

        private void add(String address) {
            counts.merge(address, 1, Integer::sum);
        }

        private void remove(String address) {
            counts.computeIfPresent(address, (at, count) -> count == 1 ? null : count - 1);
        }
    }

    private final Listeners listeners;
    private final String address;
    private final MessageConsumer<Frame> consumer;
    private boolean cancelled;

    private FrameSubscription(Vertx vertx, String address, Handler<Frame> handler) {
        this.listeners = Listeners.of(vertx);
        this.address = address;
        this.consumer = vertx.eventBus().localConsumer(address, message -> handler.handle(message.body()));
        listeners.add(address);
    }

    /** The frames of all tasks that are accepted after this completes, each task's in order. */
    public static Future<FrameSubscription> toAll(Vertx vertx, Handler<Frame> handler) {
        return completed(new FrameSubscription(vertx, BusAddresses.FRAMES, handler));
    }

    /** The frames of one task that are accepted after this completes, in order. */
    public static Future<FrameSubscription> toTask(Vertx vertx, String taskId, Handler<Frame> handler) {
        return completed(new FrameSubscription(vertx, BusAddresses.framesOf(taskId), handler));
    }

    private static Future<FrameSubscription> completed(FrameSubscription subscription) {
        return subscription.consumer.completion().map(subscription);
    }

    /** Ends the subscription. May be called more than once. */
    public synchronized Future<Void> cancel() {
        if (cancelled) {
            return Future.succeededFuture();
        }
        cancelled = true;
        listeners.remove(address);
        return consumer.unregister();
    }
}
