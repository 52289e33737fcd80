package io.penstock.engine.spawn;

/** A program could not be started and nothing of it is left behind. The message is a sentence for the client. */
public final class SpawnFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** The cause. */
    public enum Reason {
        COMMAND_NOT_FOUND(false),
        NOT_EXECUTABLE(false),
        /** The interpreter of a script or the loader of a program does not exist. */
        INTERPRETER_NOT_FOUND(false),
        /** Neither a program for this machine nor a script with a {@code #!} line. */
        UNKNOWN_FORMAT(false),
        BAD_WORKING_DIRECTORY(false),
        /** Arguments and environment are larger than the kernel accepts. */
        TOO_LONG(false),
        OUT_OF_DESCRIPTORS(true),
        OUT_OF_PROCESSES(true),
        OUT_OF_MEMORY(true),
        OUT_OF_TERMINALS(true),
        OTHER(false);

        private final boolean retryable;

        Reason(boolean retryable) {
            this.retryable = retryable;
        }

        /** Whether the same request may succeed later. */
        public boolean retryable() {
            return retryable;
        }
    }

    private final Reason reason;

    public SpawnFailure(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
