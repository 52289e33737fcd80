package io.penstock.engine.policy;

/** A condition has no answer to a question, for example because it reads an argument that is not there. */
final class ConditionFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConditionFailed(String why, Throwable cause) {
        super(why, cause);
    }
}
