package io.penstock.engine.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Hands an immutable object to consumers of the same JVM as it is: nothing is copied, nothing encoded. */
final class ByReference<T> implements MessageCodec<T, T> {

    private final Class<T> type;

    ByReference(Class<T> type) {
        this.type = type;
    }

    @Override
    public T transform(T message) {
        return message;
    }

    @Override
    public String name() {
        return "penstock." + type.getName();
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }

    @Override
    public void encodeToWire(Buffer wire, T message) {
        throw localOnly();
    }

    @Override
    public T decodeFromWire(int position, Buffer wire) {
        throw localOnly();
    }

    private UnsupportedOperationException localOnly() {
        return new UnsupportedOperationException(
                type.getSimpleName() + " is sent within one JVM only; from elsewhere use HTTP");
    }
}
