package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The actor of an event: a principal with its id, or a part of the server. Written {@code user:alice}, {@code reaper}. */
public record Actor(Kind kind, @Nullable String id) {

    /** The kinds of actors. */
    public enum Kind {
        /** An authenticated person or program. */
        USER,
        /** The server itself. */
        SERVER,
        /** The part of the server that waits for a child's exit. */
        REAPER,
        /** The policy. */
        POLICY,
        /** The task's program. */
        PROGRAM;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public static final Actor SERVER = new Actor(Kind.SERVER, null);
    public static final Actor REAPER = new Actor(Kind.REAPER, null);
    public static final Actor POLICY = new Actor(Kind.POLICY, null);
    public static final Actor PROGRAM = new Actor(Kind.PROGRAM, null);

    public Actor {
        if ((kind == Kind.USER) == (id == null)) {
            throw new IllegalArgumentException("An actor has an id exactly if it is a user: " + kind + ", id " + id);
        }
        if (id != null && (id.isBlank() || id.length() > Limits.STREAM_ID_CHARS)) {
            throw new IllegalArgumentException(
                    "An actor's id has 1 to " + Limits.STREAM_ID_CHARS + " characters, this one has " + id.length());
        }
        id = id == null ? null : Checks.wellFormed(id);
    }

    public static Actor user(String id) {
        return new Actor(Kind.USER, id);
    }

    public static Actor parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String id = colon < 0 ? null : text.substring(colon + 1);
        for (Kind known : Kind.values()) {
            if (known.wireName.equals(kind)) {
                return new Actor(known, id);
            }
        }
        throw new IllegalArgumentException(
                "An actor is user:ID, server, reaper, policy or program, not \"" + text + "\"");
    }

    @Override
    public String toString() {
        return id == null ? kind.wireName : kind.wireName + ":" + id;
    }

    void writeStored(ByteWriter out) {
        out.writeConstant(kind);
        if (id != null) {
            out.writeText(id);
        }
    }

    static Actor readStored(ByteReader in) {
        return switch (in.readConstant(Kind.class)) {
            case USER -> user(in.readText());
            case SERVER -> SERVER;
            case REAPER -> REAPER;
            case POLICY -> POLICY;
            case PROGRAM -> PROGRAM;
        };
    }
}
