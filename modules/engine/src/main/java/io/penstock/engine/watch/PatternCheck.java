package io.penstock.engine.watch;

import java.util.Optional;

/** Finds patterns on which the compiler of patterns would run for ever, or take all memory. */
public final class PatternCheck {

    /** As many as the compiler accepts; each is a few calls deep here. */
    private static final int DEEPEST = 1_000;

    private PatternCheck() {}

    /**
     * Why the pattern must not be compiled, as the rest of a sentence; empty if it may be, also if it is not valid.
     *
     * @param maxSteps of the instructions into which it compiles
     */
    public static Optional<String> refusal(String regex, long maxSteps) {
        if (regex.chars().filter(c -> c == '(').count() > DEEPEST) {
            return Optional.of("it has more than " + DEEPEST + " parentheses");
        }
        var parser = new OutlineParser(regex);
        long steps = parser.parse().steps();
        if (!parser.foldable()) {
            return Optional.of("its case cannot be ignored in so large a range or for U+1C80 to U+1C88");
        }
        // A thousand times a thousand times ten take seconds and gigabytes.
        return steps > maxSteps
                ? Optional.of("its repetitions expand to more than " + maxSteps + " steps")
                : Optional.empty();
    }
}
