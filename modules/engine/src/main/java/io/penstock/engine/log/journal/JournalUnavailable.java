package io.penstock.engine.log.journal;

/** The journal cannot do what was requested; the message is one sentence for the user. */
public final class JournalUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of failure, for callers that handle it. */
    public enum Reason {
        IN_USE,
        OTHER_VERSION,
        FOREIGN,
        NOT_WRITABLE,
        NO_ROOM,
        FAILED,
        DAMAGED,
        RELEASED,
        CLOSED
    }

    private final Reason reason;
    private final String sentence;

    JournalUnavailable(Reason reason, String sentence) {
        super(sentence);
        this.reason = reason;
        this.sentence = sentence;
    }

    JournalUnavailable(Reason reason, String sentence, Throwable cause) {
        super(sentence, cause);
        this.reason = reason;
        this.sentence = sentence;
    }

    public Reason reason() {
        return reason;
    }

    public String sentence() {
        return sentence;
    }
}
