package io.penstock.engine.agent;

/**
 * A text that a program reports again and again as a whole while it grows: finds what is new. It keeps the length, a digest and the last
 * characters of the text, not the text.
 */
final class GrowingText {

    /** The end by which a text is recognized after the program has cut off its beginning: some lines, which hardly occur twice. */
    private static final int END_CHARS = 512;

    private int length;
    private long digest;
    private String end = "";

    /** What the text has gained; if the program has replaced it, the new text on a line of its own. Empty if nothing is new. */
    String next(String reported) {
        // A program that cuts at UTF-16 units may have cut a character apart: its other half is in the next report.
        boolean cut = !reported.isEmpty() && Character.isHighSurrogate(reported.charAt(reported.length() - 1));
        String whole = cut ? reported.substring(0, reported.length() - 1) : reported;
        if (whole.isEmpty()) {
            return "";
        }
        int from = newFrom(whole);
        boolean replaced = from == 0 && length > 0;
        length = whole.length();
        digest = digest(whole, length);
        end = whole.substring(Math.max(0, length - END_CHARS));
        return replaced ? "\n" + whole : whole.substring(from);
    }

    /** Where the new part begins; 0 if the text has nothing in common with the earlier one. */
    private int newFrom(String whole) {
        if (whole.length() >= length && digest(whole, length) == digest) {
            return length;
        }
        int found = end.length() < END_CHARS ? -1 : whole.lastIndexOf(end);
        return found < 0 ? 0 : found + end.length();
    }

    /** FNV-1a over UTF-16 units; 0 for no text. */
    private static long digest(String text, int length) {
        long value = length == 0 ? 0 : 0xcbf29ce484222325L;
        for (int i = 0; i < length; i++) {
            value = (value ^ text.charAt(i)) * 0x100000001b3L;
        }
        return value;
    }
}
