package io.penstock.server.ws;

import io.penstock.server.request.JsonFields;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which of several viewers' sizes a task's terminal has. */
enum SizePolicy {
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
        return Arrays.stream(values())
                .filter(policy -> policy.wireName.equals(name))
                .findFirst()
                .orElseThrow(() -> JsonFields.wrong("policy must be one of "
                        + Arrays.stream(values()).map(SizePolicy::wireName).collect(Collectors.joining(", "))
                        + ", but is \"" + JsonFields.shown(name) + "\""));
    }
}
