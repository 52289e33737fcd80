package io.penstock.engine.policy;

import java.util.Locale;

/** The operations that policy decides. */
public enum Operation {
    SPAWN,
    STDIN,
    RESIZE,
    SIGNAL,
    CANCEL,
    /** Answering the question of a rule with verdict ask. */
    ANSWER,
    /** Sending the items of a session's mailbox to an address. */
    WEBHOOK;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
