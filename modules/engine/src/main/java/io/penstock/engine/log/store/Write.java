package io.penstock.engine.log.store;

import org.jspecify.annotations.Nullable;

/** A change of the journal under the gate's lock, repeated if the journal had no room. */
public interface Write<T> {

    /** The result, or null if the journal had no room: then nothing was done. Throws to refuse for good. */
    @Nullable
    T attempt();
}
