package io.penstock.engine.artifact;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is known of an artifact's bytes, by where the knowledge comes from. */
sealed interface Contents permits Growing, SealNote, LeftBehind, Nothing {

    /** Only what is completely written; never becomes less. */
    long storedBytes();

    @Nullable
    Sealed sealed();

    /** A place in front of the n-th line feed, and as near to it as is known. */
    LineMark before(long n) throws IOException;

    /** The furthest place up to which line feeds are counted. */
    LineMark counted();
}
