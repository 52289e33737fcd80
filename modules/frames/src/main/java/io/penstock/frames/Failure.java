package io.penstock.frames;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A failure that a caller is meant to read: its code decides what programs do, its message what people do. */
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

    public FailureCode code() {
        return code;
    }

    /** Whether the same request may succeed later without being changed: what is usual for its code, unless more is known. */
    public boolean retryable() {
        return code.retryable();
    }

    /** What programs may want to know beside the code, by names; most failures have nothing of that kind. */
    public Map<String, String> details() {
        return Map.of();
    }
}
