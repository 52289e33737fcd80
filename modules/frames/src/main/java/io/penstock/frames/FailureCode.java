package io.penstock.frames;

/**
 * The one table of ways in which a request can fail. Every edge maps it exhaustively to its own words; whether the
 * same request may succeed later is said here, once.
 */
public enum FailureCode {
    /** The request itself is wrong and will stay wrong. */
    INVALID_REQUEST(false),
    /** A frame that its stream's state does not allow, or that breaks the order of its stream. */
    ILLEGAL_FRAME(false),
    /** Stored or received bytes that are no frame of a form known here. */
    MALFORMED_FRAME(false),
    /** No stream has this name. */
    STREAM_NOT_FOUND(false),
    /** No task has this id. */
    TASK_NOT_FOUND(false),
    /** The task exists, but not in a phase that allows this. */
    TASK_NOT_READY(true),
    /** No artifact has this id. */
    ARTIFACT_NOT_FOUND(false),
    /** The artifact was there, and has been removed: nothing brings it back. */
    ARTIFACT_GONE(false),
    /** The stream has a writer already. */
    STREAM_HAS_WRITER(false),
    /** This writer has been replaced by a later one. */
    WRITER_FENCED(false),
    /** Another process has taken over this node's identity; this one must stop writing. */
    NODE_FENCED(false),
    /** The caller went on appending while it was told to wait. */
    LOG_BACKLOGGED(true),
    /** The log is closed, or its journal has failed for good. */
    LOG_UNAVAILABLE(true),
    /** Postgres does not answer, and the answer is only there. */
    DATABASE_UNAVAILABLE(true),
    /** The same idempotency key was used before with another request. */
    IDEMPOTENCY_CONFLICT(false),
    /** The server died while it carried out the first request with this key: whether it took effect is not known. */
    OUTCOME_UNKNOWN(false),
    /** A quota is used up and its queue is full. */
    QUOTA_EXCEEDED(true),
    /** Policy says no. */
    POLICY_DENIED(false),
    /** The caller lacks the right. */
    PERMISSION_DENIED(false),
    /** A defect of this program. */
    INTERNAL_ERROR(false);

    private final boolean retryable;

    FailureCode(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether the same request may succeed later without being changed, as a rule; a {@link Failure} may know better. */
    public boolean retryable() {
        return retryable;
    }
}
