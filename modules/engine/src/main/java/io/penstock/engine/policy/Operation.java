package io.penstock.engine.policy;

import java.util.Locale;

/** The operations that policy decides. */
public enum Operation {
    SPAWN,
    STDIN,
    RESIZE,
    SIGNAL,
    CANCEL,
    /** Keeping a task however old it becomes, or no longer. */
    PIN,
    /** Answering the question of a rule with verdict ask. */
    ANSWER,
    /** Sending the items of a session's mailbox to an address. */
    WEBHOOK,
    /** Giving an agent input: a prompt, a correction of its course, another turn. */
    PROMPT,
    /** A tool that an agent program asks to use. A rule may ask a person. */
    AGENT_TOOL;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
