package io.penstock.server.ws.wire;

import io.penstock.server.request.Words;
import java.util.Locale;

/** Determines which of its viewers' sizes a terminal has. */
public enum SizePolicy {
    /** The size that was stated last. */
    LATEST,
    /** The fewest rows and the fewest columns of all viewers, so that each sees the whole terminal. */
    SMALLEST,
    /** The size of one viewer. */
    LEADER,
    /** The current size. */
    FIXED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    String wireName() {
        return wireName;
    }

    static SizePolicy read(String name) {
        return Words.parse(SizePolicy.class, SizePolicy::wireName, "policy", name);
    }
}
