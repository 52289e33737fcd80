package io.penstock.engine.log;

/** A position in the list of tasks. Newer tasks sort before it, so it stays valid while a client pages on. */
public record TaskCursor(long streamNo) {

    private static final int RADIX = 36;

    public TaskCursor {
        if (streamNo < 0) {
            throw new IllegalArgumentException("A stream's number is not negative, but is " + streamNo);
        }
    }

    /** @throws IllegalArgumentException with a message for the user */
    public static TaskCursor parse(String text) {
        if (text.matches("[0-9a-z]{1,13}")) {
            try {
                return new TaskCursor(Long.parseLong(text, RADIX));
            } catch (NumberFormatException e) {
                // Thirteen such digits may exceed a long.
            }
        }
        throw new IllegalArgumentException(
                "it must be the cursor in the Link header of an earlier page, as it was given");
    }

    /** An opaque form that clients store and send back. */
    public String text() {
        return Long.toString(streamNo, RADIX);
    }
}
