package io.penstock.frames;

import java.util.Locale;

/** How surely all that a task starts can be found and ended. Stored by its place here, so more are only ever appended. */
public enum Containment {
    /** A cgroup of its own, entered before the first instruction: nothing gets away. */
    CGROUP,
    /**
     * A session of its own, and what loses its parent becomes a child of this server: only a daemon in a new session that also
     * empties its environment gets away.
     */
    ADOPTION,
    /** A session and process group of its own: a program that makes itself a daemon by a new session gets away. */
    SESSION,
    /** Only the tree of children, as far as it still hangs together. */
    DESCENDANTS;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
