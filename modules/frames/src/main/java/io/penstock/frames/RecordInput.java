package io.penstock.frames;

import java.util.Locale;

/** The typed input to record, in addition to its length. Stored by ordinal, so constants are only appended. */
public enum RecordInput {
    /** All input except that typed while the terminal reads lines without echo, as at a password prompt. */
    DEFAULT,
    NONE,
    /** All input, including passwords. */
    ALL;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
