package io.penstock.frames;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A failure for callers: its code is for programs, its message for people. */
public class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final FailureCode code;

    public Failure(FailureCode code, String message) {
        this(code, message, null);
    }

    public Failure(FailureCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The failure itself if callers are meant to read it; any other failure is in the log of the server only. */
    public static Failure forCallers(Throwable why) {
        return why instanceof Failure known
                ? known
                : new Failure(
                        FailureCode.INTERNAL_ERROR, "An internal error occurred in Penstock; see its log for details");
    }

    public FailureCode code() {
        return code;
    }

    /** Whether the same request may succeed later: the default of its code, unless more is known. */
    public boolean retryable() {
        return code.retryable();
    }

    /** Named details for programs in addition to the code; most failures have none. */
    public Map<String, String> details() {
        return Map.of();
    }
}
