package io.penstock.frames;

/**
 * The one table of failures of a request. Every edge maps it exhaustively to its own words. Whether the same request may succeed later is
 * defined here only.
 */
public enum FailureCode {
    /** The request itself is invalid; repeating it does not help. */
    INVALID_REQUEST(false),
    /** A frame that its stream's state does not allow, or that breaks the order of its stream. */
    ILLEGAL_FRAME(false),
    /** Stored or received bytes are not a frame of a known form. */
    MALFORMED_FRAME(false),
    /** No stream has this name. */
    STREAM_NOT_FOUND(false),
    /** No task has this id. */
    TASK_NOT_FOUND(false),
    /** No session has this id. */
    SESSION_NOT_FOUND(false),
    /** The task exists, but not in a phase that allows this. */
    TASK_NOT_READY(true),
    /** No tool has this name. */
    TOOL_NOT_FOUND(false),
    /** No artifact has this id. */
    ARTIFACT_NOT_FOUND(false),
    /** The artifact existed and has been removed for good. */
    ARTIFACT_GONE(false),
    /** The task existed, and retention has removed it. */
    TASK_GONE(false),
    /** The session existed, and retention has removed it. Its name begins a new session when it is used again. */
    SESSION_GONE(false),
    /** The stream already has a writer. */
    STREAM_HAS_WRITER(false),
    /** This writer has been replaced by a later one. */
    WRITER_FENCED(false),
    /** Another process has taken over this node's identity; this one must stop writing. */
    NODE_FENCED(false),
    /** The caller kept appending while the log was backlogged. */
    LOG_BACKLOGGED(true),
    /** The log is closed, or its journal has failed for good. */
    LOG_UNAVAILABLE(true),
    /** Postgres does not respond, and only it has the answer. */
    DATABASE_UNAVAILABLE(true),
    /** The same idempotency key was used before with another request. */
    IDEMPOTENCY_CONFLICT(false),
    /** The server died during the first request with this key: its outcome is unknown. */
    OUTCOME_UNKNOWN(false),
    /** A quota is used up and the queue is full. */
    QUOTA_EXCEEDED(true),
    /** Policy denies the operation. */
    POLICY_DENIED(false),
    /** The caller lacks the right. */
    PERMISSION_DENIED(false),
    /** A defect of this program. */
    INTERNAL_ERROR(false);

    private final boolean retryable;

    FailureCode(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether the same request may usually succeed later; a {@link Failure} may override it. */
    public boolean retryable() {
        return retryable;
    }
}
