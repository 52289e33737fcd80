package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The sentences of the checks that several records share. */
final class Checks {

    private Checks() {}

    static void notNegative(long value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is 0 or more, not " + value);
        }
    }

    static void notNegative(@Nullable Long value, String name) {
        if (value != null) {
            notNegative(value.longValue(), name);
        }
    }

    static void atLeastOne(long value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is 1 or more, not " + value);
        }
    }

    static void text(@Nullable String value, String name) {
        text(value, name, Limits.TEXT_CHARS);
    }

    static void text(@Nullable String value, String name, int maxChars) {
        if (value != null && value.length() > maxChars) {
            throw new IllegalArgumentException(
                    name + " has at most " + maxChars + " characters, this one has " + value.length());
        }
    }

    static void notBlank(String value, String name) {
        text(value, name);
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " is empty");
        }
    }
}
