package io.penstock.engine.policy;

/** A condition cannot be evaluated for a question, for example because it reads a missing argument. */
final class ConditionFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConditionFailed(String why, Throwable cause) {
        super(why, cause);
    }
}
