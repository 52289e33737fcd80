package io.penstock.server;

import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.penstock.frames.Failure;
import io.penstock.server.guard.TokenUnusable;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * The message to the user when the server cannot start: one sentence, or the whole stack trace of an unexpected
 * failure.
 */
final class StartFailure extends Exception {

    private static final long serialVersionUID = 1L;

    StartFailure(String sentence) {
        super(sentence);
    }

    StartFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    static String sentence(Throwable failure) {
        boolean foreseen = failure instanceof StartFailure
                || failure instanceof PostgresUnavailable
                || failure instanceof JournalUnavailable
                || failure instanceof TokenUnusable
                || failure instanceof Failure
                || failure instanceof IllegalArgumentException;
        if (foreseen) {
            return String.valueOf(failure.getMessage());
        }
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return "an unexpected failure, which is a defect of Penstock: " + trace;
    }
}
