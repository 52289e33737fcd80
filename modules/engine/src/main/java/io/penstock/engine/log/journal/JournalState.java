package io.penstock.engine.log.journal;

/** Whether appends are taken. */
public sealed interface JournalState {
    /** Appends are taken. */
    record Open() implements JournalState {}

    /** The next segment cannot be made; appends are taken while the present one has room. Retried until it works. */
    record Full(String reason) implements JournalState {}

    /** The disk failed to keep what was written: nothing is taken again until a restart. */
    record Failed(String reason) implements JournalState {}

    record Closed() implements JournalState {}
}
