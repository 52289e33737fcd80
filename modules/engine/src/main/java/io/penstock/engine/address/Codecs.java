package io.penstock.engine.address;

import io.vertx.core.eventbus.EventBus;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers classes whose objects travel on the event bus by reference; a codec is found by the exact class of a message. */
public final class Codecs {

    private static final Logger log = LoggerFactory.getLogger(Codecs.class);

    private Codecs() {}

    /** Refused where it was done already: two engines in one Vert.x would have the same addresses. */
    public static void add(EventBus bus, List<Class<?>> types) {
        types.forEach(type -> add(bus, type));
    }

    private static <T> void add(EventBus bus, Class<T> type) {
        try {
            bus.registerDefaultCodec(type, new ByReference<>(type));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "an engine runs in this Vert.x already; each engine needs its own Vert.x", e);
        }
    }

    /** The name of a codec for objects of this type and below it, for messages that name their codec; registered at its first use. */
    public static <T> String named(EventBus bus, Class<T> type) {
        var codec = new ByReference<>(type);
        try {
            bus.registerCodec(codec);
        } catch (IllegalStateException registered) {
            log.debug("The codec {} is registered already", codec.name());
        }
        return codec.name();
    }

    public static void remove(EventBus bus, List<Class<?>> types) {
        types.forEach(bus::unregisterDefaultCodec);
    }
}
