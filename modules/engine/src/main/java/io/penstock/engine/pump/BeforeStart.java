package io.penstock.engine.pump;

/** What a task waits for before its program is started. */
sealed interface BeforeStart permits SpawnQuestion, QueuedStart {

    boolean isOpen();

    /** It need not be waited for any more. */
    void withdraw();
}
