package io.penstock.frames;

import java.util.Locale;

/** The bytes to keep of an output larger than {@code artifact_max_bytes}. Stored by ordinal, so constants are only appended. */
public enum Keep {
    /** The first bytes; further ones are only counted. */
    HEAD,
    /** The newest bytes, at their offsets. */
    TAIL,
    /** Every byte: there is no limit. */
    ALL;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }

    /** The default of a mode. */
    public static Keep usual(ExecutionMode mode) {
        return mode == ExecutionMode.PTY ? TAIL : HEAD;
    }
}
