package io.penstock.frames;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The checks that several records share, with their sentences. Texts come back well-formed, ready to be kept. */
final class Checks {

    private Checks() {}

    static void notNegative(long value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is 0 or more, not " + value);
        }
        if (value > Limits.WHOLE_NUMBER) {
            throw new IllegalArgumentException(name + " is at most " + Limits.WHOLE_NUMBER + ", not " + value);
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

    static void terminalSide(int cells, String name) {
        if (cells < 1 || cells > Limits.TERMINAL_CELLS_PER_SIDE) {
            throw new IllegalArgumentException(name + " is 1 to " + Limits.TERMINAL_CELLS_PER_SIDE + ", not " + cells);
        }
    }

    static String text(String value, String name) {
        return text(value, name, Limits.TEXT_CHARS);
    }

    static String text(String value, String name, int maxChars) {
        if (value.length() > maxChars) {
            throw new IllegalArgumentException(
                    name + " has at most " + maxChars + " characters, this one has " + value.length());
        }
        return wellFormed(value);
    }

    static @Nullable String textOrNull(@Nullable String value, String name) {
        return value == null ? null : text(value, name);
    }

    static String notBlank(String value, String name) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " is empty");
        }
        return text(value, name);
    }

    /** For long texts, whose limit is one of bytes in UTF-8. */
    static String utf8(String value, String name, int maxBytes) {
        if (value.length() <= maxBytes && isAscii(value)) {
            return value;
        }
        String text = wellFormed(value);
        // A character has at most three bytes, half a pair two: nearly always this answers.
        if (text.length() * 3L > maxBytes) {
            long bytes = utf8Bytes(text);
            if (bytes > maxBytes) {
                throw new IllegalArgumentException(
                        name + " has at most " + maxBytes + " bytes in UTF-8, this one has " + bytes);
            }
        }
        return text;
    }

    /** Long texts mostly are, and this takes many characters at a time, unlike a look at each. */
    private static boolean isAscii(String text) {
        // What is not ASCII comes back as a question mark.
        return new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII).equals(text);
    }

    private static long utf8Bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    /**
     * The text with U+FFFD for every surrogate that lacks its other half. UTF-8 has no form for such a half, and programs
     * that cut texts at a number of UTF-16 units produce them: they must not cost us the frame, nor differ between forms.
     */
    static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return replaceHalves(text, i);
            }
        }
        return text;
    }

    private static String replaceHalves(String text, int from) {
        StringBuilder changed = null;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            boolean paired = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (paired) {
                i++;
            } else {
                changed = changed == null ? new StringBuilder(text) : changed;
                changed.setCharAt(i, '\ufffd');
            }
        }
        return changed == null ? text : changed.toString();
    }
}
