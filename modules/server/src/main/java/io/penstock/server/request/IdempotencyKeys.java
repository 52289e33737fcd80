package io.penstock.server.request;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Keeps idempotency keys and their answers. */
public interface IdempotencyKeys {

    /** The answer of the operation, which is carried out once for a principal and key, however many requests there are. */
    Future<byte[]> once(String principal, String key, byte[] fingerprint, Supplier<Future<byte[]>> operation);
}
