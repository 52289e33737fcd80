package io.penstock.engine.host;

import io.penstock.frames.FailureCode;

/** The error codes of the protocol. */
enum HostCode {
    TASK_NOT_FOUND,
    TASK_NOT_READY,
    SWITCH_TIMEOUT,
    PI_PROCESS_DEAD,
    INVALID_REQUEST,
    INTERNAL_ERROR;

    static HostCode of(FailureCode code) {
        return switch (code) {
            case INVALID_REQUEST, IDEMPOTENCY_CONFLICT, POLICY_DENIED, PERMISSION_DENIED -> INVALID_REQUEST;
            case TASK_NOT_FOUND, TASK_GONE -> TASK_NOT_FOUND;
            case TASK_NOT_READY, QUOTA_EXCEEDED, SESSION_GONE -> TASK_NOT_READY;
            case ILLEGAL_FRAME,
                    MALFORMED_FRAME,
                    STREAM_NOT_FOUND,
                    SESSION_NOT_FOUND,
                    TOOL_NOT_FOUND,
                    ARTIFACT_NOT_FOUND,
                    ARTIFACT_GONE,
                    STREAM_HAS_WRITER,
                    WRITER_FENCED,
                    NODE_FENCED,
                    LOG_BACKLOGGED,
                    LOG_UNAVAILABLE,
                    DATABASE_UNAVAILABLE,
                    OUTCOME_UNKNOWN,
                    INTERNAL_ERROR -> INTERNAL_ERROR;
        };
    }
}
