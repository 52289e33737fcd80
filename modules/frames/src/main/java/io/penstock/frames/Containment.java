package io.penstock.frames;

import java.util.Locale;

/** How reliably the processes that a task starts can be found and killed. Stored by ordinal, so constants are only appended. */
public enum Containment {
    /** A cgroup of its own, entered before the first instruction: no process escapes. */
    CGROUP,
    /**
     * A session of its own, and orphans become children of this server: only a daemon in a new session that also clears its environment
     * escapes.
     */
    ADOPTION,
    /** A session and process group of its own: a program that becomes a daemon in a new session escapes. */
    SESSION,
    /** Only the tree of children, as far as their parents are alive. */
    DESCENDANTS;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
