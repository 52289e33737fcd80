package io.penstock.engine.bus;

import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.pump.TaskRequest;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.eventbus.EventBus;
import java.util.List;

/** All that travels on the bus; a codec is found by the exact class of a message. */
public final class BusCodecs {

    private static final List<Class<?>> TYPES = List.of(
            TaskRequest.class,
            TaskCommand.WriteInput.class,
            TaskCommand.Resize.class,
            TaskCommand.Signal.class,
            TaskCommand.Cancel.class,
            TaskState.class,
            TaskQuery.class,
            TaskPage.class,
            FollowFrames.class,
            FramePage.class,
            Frame.class,
            Refusal.class);

    private BusCodecs() {}

    /** Before anything is published or asked for. Refused where an engine has done it already: it would have the same addresses. */
    public static void add(EventBus bus) {
        TYPES.forEach(type -> add(bus, type));
    }

    private static <T> void add(EventBus bus, Class<T> type) {
        try {
            bus.registerDefaultCodec(type, new ByReference<>(type));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "An engine runs in this Vert.x already; give another one a Vert.x of its own", e);
        }
    }

    public static void remove(EventBus bus) {
        TYPES.forEach(bus::unregisterDefaultCodec);
    }
}
