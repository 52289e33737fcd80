package io.penstock.engine.address;

import org.jspecify.annotations.Nullable;

/**
 * An immutable request to an {@link Address}.
 *
 * @param <K> the kind of requests that its address takes
 * @param <A> the answer
 */
// Both are there for the compiler only.
@SuppressWarnings("unused")
public interface Request<K, A extends @Nullable Object> {}
