package io.penstock.testbed;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the last message of the user tells the {@link StubModel} to do.
 *
 * @param done how many of its commands have been run
 */
record ModelScript(String message, int done) {

    private static final Pattern RUN = Pattern.compile("RUN\\(([^)]*)\\)");
    private static final Pattern SAY = Pattern.compile("SAY\\(([^)]*)\\)");

    /** Whether there is another command to run. */
    boolean runs() {
        return done < all(RUN).size();
    }

    String command() {
        return all(RUN).get(done);
    }

    boolean holds() {
        return !runs() && message.contains("HOLD()");
    }

    /** What is said before the answer is held back, and after it, in parts as a model generates them. */
    List<String> begin() {
        return holds() ? List.of("held ") : List.of();
    }

    List<String> rest() {
        List<String> said = all(SAY);
        return List.of((said.isEmpty() ? "pong" : String.join(" ", said)).split("(?<= )"));
    }

    /** The whole answer. */
    String answer() {
        var parts = new ArrayList<>(begin());
        parts.addAll(rest());
        return String.join("", parts);
    }

    private List<String> all(Pattern pattern) {
        return pattern.matcher(message).results().map(found -> found.group(1)).toList();
    }
}
