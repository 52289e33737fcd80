package io.penstock.server.tools;

import io.penstock.frames.WholeCharacters;
import java.util.regex.Pattern;

/** Output of programs as a model reads it: without what only a terminal needs, and never longer than was asked for. */
public final class ModelText {

    /**
     * Escape sequences: CSI, strings such as a window's title, and the short ones. A string without an end loses its beginning only, so
     * that it cannot hide the text behind it.
     */
    private static final Pattern ESCAPES = Pattern.compile("[\u001b]\\[[0-?]*+[ -/]*+[@-~]?"
            + "|\u009b[0-?]*+[ -/]*+[@-~]?"
            + "|[\u001b][\\]PX^_][^\u0007\u001b\u009c]*+(?:\u0007|\u001b\\\\|\u009c)"
            + "|[\u001b][ -/]*+[0-~]?");

    /** The note about what was left out, its numbers and names included. */
    private static final int NOTE_CHARS = 400;

    private ModelText() {}

    /**
     * The text without escape sequences and control characters. Of a line that was rewritten, such as a progress bar, the last version
     * stays; a backspace takes the character before it.
     */
    public static String plain(String output) {
        String text = ESCAPES.matcher(output).replaceAll("");
        var plain = new StringBuilder(text.length());
        int line = 0;
        boolean rewrites = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> {
                    plain.append(c);
                    line = plain.length();
                    rewrites = false;
                }
                case '\r' -> rewrites = true;
                case '\b' -> {
                    if (plain.length() > line) {
                        plain.setLength(plain.offsetByCodePoints(plain.length(), -1));
                    }
                }
                default -> {
                    if (c == '\t' || !Character.isISOControl(c)) {
                        if (rewrites) {
                            plain.setLength(line);
                            rewrites = false;
                        }
                        plain.append(c);
                    }
                }
            }
        }
        return plain.toString();
    }

    /**
     * The text, or its beginning and its end with a note between them that says how many characters are left out.
     *
     * @param maxChars of the whole, the note included
     * @param fetch a sentence that says where all of it can be read
     */
    public static String bounded(String text, int maxChars, String fetch) {
        return text.length() <= maxChars ? text : joined(text, text, text.length(), maxChars, fetch);
    }

    /**
     * The same for a text of which only the beginning and the end are at hand.
     *
     * @param head a beginning of the text
     * @param tail an end of the text
     * @param length the length of the whole text, or an estimate
     */
    public static String joined(String head, String tail, long length, int maxChars, String fetch) {
        int half = Math.max(0, (maxChars - NOTE_CHARS) / 2);
        String first = WholeCharacters.beginning(head, half);
        String last = WholeCharacters.end(tail, half);
        long left = Math.max(0, length - first.length() - last.length());
        String note = "\n[… " + left + " characters are left out here. " + fetch + " …]\n";
        return first + note.substring(0, Math.min(NOTE_CHARS, note.length())) + last;
    }

    /** The text, or the end of a longer one. */
    public static String end(String text, int maxChars) {
        return text.length() <= maxChars ? text : "…" + WholeCharacters.end(text, maxChars - 1);
    }

    /** The text, or the beginning of a longer one. */
    public static String start(String text, int maxChars) {
        return WholeCharacters.fitting(text, maxChars);
    }
}
