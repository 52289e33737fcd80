package io.penstock.frames;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks shared by several records, with their error sentences. They return texts well-formed, ready to be stored. */
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

    /** For a name that a program or its caller gives to something. */
    static String name(String value, String name) {
        notBlank(value, name);
        return text(value, name, Limits.NAME_CHARS);
    }

    /** For long texts, whose limit is in bytes of UTF-8. */
    static String utf8(String value, String name, int maxBytes) {
        if (value.length() <= maxBytes && isAscii(value)) {
            return value;
        }
        String text = wellFormed(value);
        // A UTF-16 unit takes at most three bytes, so this quick check nearly always suffices.
        if (text.length() * 3L > maxBytes) {
            long bytes = utf8Bytes(text);
            if (bytes > maxBytes) {
                throw new IllegalArgumentException(
                        name + " has at most " + maxBytes + " bytes in UTF-8, this one has " + bytes);
            }
        }
        return text;
    }

    /** Most long texts are ASCII, and this conversion handles many characters at a time, unlike a loop. */
    private static boolean isAscii(String text) {
        // A character that is not ASCII becomes a question mark.
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
     * The text with U+FFFD for every unpaired surrogate. UTF-8 cannot encode one, and programs that cut texts at a number of UTF-16 units
     * produce them: they must neither cause the loss of the frame nor differ between its forms.
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
