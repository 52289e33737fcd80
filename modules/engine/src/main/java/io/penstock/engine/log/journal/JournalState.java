package io.penstock.engine.log.journal;

/** Whether the journal accepts appends. */
public sealed interface JournalState {
    /** The journal accepts appends. */
    record Open() implements JournalState {}

    /**
     * The next segment cannot be created; appends are accepted while the current one has room. Creation is retried
     * until it succeeds.
     */
    record Full(String reason) implements JournalState {}

    /** The disk failed to store written records: nothing is accepted until a restart. */
    record Failed(String reason) implements JournalState {}

    record Closed() implements JournalState {}
}
