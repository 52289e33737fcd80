package io.penstock.engine.bus;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.StreamId;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;

/**
 * Publishes accepted frames on the bus. Where nobody listens a publication is a look into a map, some 0.1 µs, and the bus tells
 * nobody whether somebody listens; so all are published.
 */
public final class FramePublisher implements FrameListener.Source {

    private static final DeliveryOptions WITHIN_THIS_JVM = new DeliveryOptions().setLocalOnly(true);

    private final EventBus bus;

    public FramePublisher(EventBus bus) {
        this.bus = bus;
    }

    @Override
    public FrameListener of(StreamId stream) {
        String address = BusAddresses.framesOf(stream.id());
        return frame -> {
            bus.publish(address, frame, WITHIN_THIS_JVM);
            bus.publish(BusAddresses.FRAMES, frame, WITHIN_THIS_JVM);
        };
    }
}
