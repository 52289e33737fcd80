package io.penstock.server.ws.wire;

import io.penstock.server.request.Words;
import java.util.Locale;

/** Which of several viewers' sizes a task's terminal has. */
public enum SizePolicy {
    /** That of whoever has said one last. */
    LATEST,
    /** The fewest rows and the fewest columns of all, so that everyone sees all of it. */
    SMALLEST,
    /** That of one of them. */
    LEADER,
    /** The one that it has. */
    FIXED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    String wireName() {
        return wireName;
    }

    static SizePolicy read(String name) {
        return Words.parse(SizePolicy.class, SizePolicy::wireName, "policy", name);
    }
}
