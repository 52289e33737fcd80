package io.penstock.engine.log;

import org.jspecify.annotations.Nullable;

/** What is done with the journal under the gate's lock, and tried again where the journal had no room. */
interface Write<T> {

    /** The result, or null where the journal had no room: then nothing was done. Throws to refuse for good. */
    @Nullable
    T attempt();
}
