package io.penstock.engine.bus;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;

/** Publishes accepted frames on the bus to their subscribers. */
public final class FramePublisher implements FrameListener.Source {

    private static final DeliveryOptions WITHIN_THIS_JVM = new DeliveryOptions().setLocalOnly(true);

    private final EventBus bus;
    private final FrameSubscription.Listeners listeners;

    public FramePublisher(Vertx vertx) {
        this.bus = vertx.eventBus();
        this.listeners = FrameSubscription.Listeners.of(vertx);
    }

    @Override
    public FrameListener of(StreamId stream) {
        String address = BusAddresses.framesOf(stream.id());
        return frame -> {
            if (!listeners.none()) {
                publish(address, frame);
                publish(BusAddresses.FRAMES, frame);
            }
        };
    }

    private void publish(String address, Frame frame) {
        if (listeners.at(address)) {
            bus.publish(address, frame, WITHIN_THIS_JVM);
        }
    }
}
