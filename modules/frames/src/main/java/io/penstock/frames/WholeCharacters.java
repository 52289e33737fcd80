package io.penstock.frames;

/** Cuts texts between characters, never inside a surrogate pair: UTF-8 cannot encode half of one. */
public final class WholeCharacters {

    private WholeCharacters() {}

    /** The first characters of a text, at most this many UTF-16 units. */
    public static String beginning(String text, int maxUnits) {
        return text.length() <= maxUnits ? text : text.substring(0, boundary(text, maxUnits));
    }

    /** The last characters of a text, at most this many UTF-16 units. */
    public static String end(CharSequence text, int maxUnits) {
        int from = Math.max(0, text.length() - maxUnits);
        return text.subSequence(boundary(text, from) < from ? from + 1 : from, text.length())
                .toString();
    }

    /** The text; a longer one ends with an ellipsis, which counts. */
    public static String fitting(String text, int maxUnits) {
        return text.length() <= maxUnits ? text : beginning(text, maxUnits - 1) + "…";
    }

    /** This index, or the one before it if it is inside a surrogate pair. */
    public static int boundary(CharSequence text, int index) {
        boolean inside = index > 0
                && index < text.length()
                && Character.isLowSurrogate(text.charAt(index))
                && Character.isHighSurrogate(text.charAt(index - 1));
        return inside ? index - 1 : index;
    }
}
