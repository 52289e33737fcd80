package io.penstock.engine.address;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Passes an immutable object by reference to consumers in the same JVM, without copying or encoding it. */
public final class ByReference<T> implements MessageCodec<T, T> {

    private final Class<T> type;

    public ByReference(Class<T> type) {
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
                type.getSimpleName() + " can be sent within one JVM only; use HTTP from elsewhere");
    }
}
