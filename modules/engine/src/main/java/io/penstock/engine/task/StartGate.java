package io.penstock.engine.task;

/** What a task waits for before its program is started. */
sealed interface StartGate permits SpawnApproval, QueuedStart {

    boolean isOpen();

    /** It need not be waited for any more. */
    void withdraw();
}
