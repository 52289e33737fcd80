package io.penstock.engine.log;

/** A place in the list of tasks. Tasks that come later lie before it, so it stays right while it is followed. */
public record TaskCursor(long streamNo) {

    private static final int RADIX = 36;

    public TaskCursor {
        if (streamNo < 0) {
            throw new IllegalArgumentException("A stream's number is not negative, but is " + streamNo);
        }
    }

    /** @throws IllegalArgumentException with a sentence for people */
    public static TaskCursor parse(String text) {
        if (text.matches("[0-9a-z]{1,13}")) {
            try {
                return new TaskCursor(Long.parseLong(text, RADIX));
            } catch (NumberFormatException e) {
                // Thirteen such digits may be more than a long holds.
            }
        }
        throw new IllegalArgumentException("it must be the next_cursor of an earlier page, as it was given");
    }

    /** For others to keep and give back, not to look into. */
    public String text() {
        return Long.toString(streamNo, RADIX);
    }
}
