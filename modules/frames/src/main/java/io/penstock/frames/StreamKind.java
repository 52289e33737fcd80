package io.penstock.frames;

import java.util.Locale;

/** The kind of a stream: of a task, or of a session. */
public enum StreamKind {
    TASK(0),
    SESSION(1);

    private final int code;
    private final String wireName = name().toLowerCase(Locale.ROOT);

    StreamKind(int code) {
        this.code = code;
    }

    /** The number that stands for this kind in the stored form; never reused. */
    public int code() {
        return code;
    }

    public String wireName() {
        return wireName;
    }

    public static StreamKind ofCode(int code) {
        return switch (code) {
            case 0 -> TASK;
            case 1 -> SESSION;
            default -> throw new IllegalArgumentException("No stream kind has the code " + code);
        };
    }

    public static StreamKind ofWireName(String name) {
        return switch (name) {
            case "task" -> TASK;
            case "session" -> SESSION;
            default -> throw new IllegalArgumentException("stream_kind is task or session, not \"" + name + "\"");
        };
    }
}
