package io.penstock.engine;

/** Which way programs are to be started. */
public enum SpawnerChoice {
    /** Natively where that works, else by pty4j. */
    AUTOMATIC,
    /** Natively, or not at all. */
    NATIVE,
    PTY4J
}
