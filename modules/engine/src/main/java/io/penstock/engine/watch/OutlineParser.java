package io.penstock.engine.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the outline of a pattern in RE2 syntax. It accepts every text, since the compiler of patterns reports the errors in one; of an
 * invalid pattern, only {@link Outline#steps} means something.
 */
final class OutlineParser {

    private static final Pattern COUNTS = Pattern.compile("\\{(\\d{1,9})(,(\\d{1,9})?)?}");
    private static final Pattern NAME = Pattern.compile("\\?P?<[^>]*>");
    private static final Pattern FLAGS = Pattern.compile("\\?([a-zA-Z]*)(-[a-zA-Z]*)?([:)])");

    /** Letters whose lower and upper cases do not lead back to them in the compiler's tables. */
    private static final int FIRST_ENDLESS = 0x1C80;

    private static final int LAST_ENDLESS = 0x1C88;

    /** Characters of a range whose case is ignored: more than any alphabet, and compiled in less than a millisecond. */
    private static final int FOLDED_RANGE = 1024;

    private final String regex;
    private int at;
    private boolean fold;
    private boolean quoted;
    private boolean foldable = true;

    OutlineParser(String regex) {
        this.regex = regex;
    }

    Outline parse() {
        List<Outline> parts = new ArrayList<>();
        do {
            parts.add(alternatives());
            at++; // a closing parenthesis without an opening one is an error, so there is one turn
        } while (at < regex.length());
        return parts.size() == 1 ? parts.getFirst() : new Outline.Sequence(parts);
    }

    private Outline alternatives() {
        List<Outline> branches = new ArrayList<>();
        branches.add(sequence());
        while (at < regex.length() && regex.charAt(at) == '|') {
            at++;
            branches.add(sequence());
        }
        return branches.size() == 1 ? branches.getFirst() : new Outline.Either(branches);
    }

    /** Up to the end of the branch. Repetitions replace the part before them. */
    private Outline sequence() {
        List<Outline> parts = new ArrayList<>();
        while (at < regex.length()) {
            char c = regex.charAt(at);
            if (quoted) {
                if (regex.startsWith("\\E", at)) {
                    quoted = false;
                    at += 2;
                } else {
                    parts.add(literal(codePoint()));
                }
            } else if (c == '|' || c == ')') {
                break;
            } else if (!repeat(parts)) {
                part(parts);
            }
        }
        return new Outline.Sequence(parts);
    }

    private boolean repeat(List<Outline> parts) {
        int least;
        int most;
        Matcher counts = COUNTS.matcher(regex).region(at, regex.length());
        char c = regex.charAt(at);
        if (c == '*' || c == '+' || c == '?') {
            least = c == '+' ? 1 : 0;
            most = c == '?' ? 1 : Outline.Repeat.ENDLESS;
            at++;
        } else if (c == '{' && counts.lookingAt()) {
            least = Integer.parseInt(counts.group(1));
            most = counts.group(2) == null
                    ? least
                    : counts.group(3) == null ? Outline.Repeat.ENDLESS : Integer.parseInt(counts.group(3));
            at = counts.end();
        } else {
            return false;
        }
        if (at < regex.length() && regex.charAt(at) == '?') {
            at++; // as few as possible: the same texts
        }
        if (!parts.isEmpty()) {
            parts.set(parts.size() - 1, new Outline.Repeat(parts.getLast(), least, most));
        }
        return true;
    }

    private void part(List<Outline> parts) {
        switch (regex.charAt(at)) {
            case '(' -> {
                at++;
                group(parts);
            }
            case '[' -> parts.add(new Outline.Char(new OutlineClass(this).parse()));
            case '.' -> {
                at++;
                parts.add(new Outline.Char(CharSet.ALL));
            }
            case '^' -> edge(parts, true, 1);
            case '$' -> edge(parts, false, 1);
            case '\\' -> escape(parts);
            default -> parts.add(literal(codePoint()));
        }
    }

    private void edge(List<Outline> parts, boolean start, int chars) {
        at += chars;
        parts.add(new Outline.Edge(start));
    }

    private void group(List<Outline> parts) {
        boolean outside = fold;
        Matcher flags = FLAGS.matcher(regex).region(at, regex.length());
        Matcher name = NAME.matcher(regex).region(at, regex.length());
        if (name.lookingAt()) {
            at = name.end();
        } else if (flags.lookingAt()) {
            at = flags.end();
            if (flags.group(1).contains("i")) {
                fold = true;
            }
            if (flags.group(2) != null && flags.group(2).contains("i")) {
                fold = false;
            }
            if (flags.group(3).equals(")")) {
                return; // until the end of the group around it
            }
        }
        parts.add(alternatives());
        at++; // the closing parenthesis
        fold = outside;
    }

    private void escape(List<Outline> parts) {
        char c = at + 1 < regex.length() ? regex.charAt(at + 1) : '\\';
        switch (c) {
            case 'A' -> edge(parts, true, 2);
            case 'z' -> edge(parts, false, 2);
            case 'b', 'B' -> {
                at += 2;
                parts.add(Outline.NOTHING);
            }
            case 'Q' -> {
                at += 2;
                quoted = true;
            }
            case 'E' -> at += 2;
            default -> {
                CharSet set = escapedSet();
                parts.add(set == null ? literal(escapedCodePoint()) : new Outline.Char(set));
            }
        }
    }

    /**
     * Whether the compiler can ignore case where the pattern wants it. It looks for the other case of each character of a range, and for
     * some Cyrillic letters newer than its tables it looks for ever.
     */
    boolean foldable() {
        return foldable;
    }

    /** The characters of a range of code points. */
    CharSet range(int first, int last) {
        boolean endless = first <= LAST_ENDLESS && last >= FIRST_ENDLESS;
        foldable &= !fold || !(endless || last - first > FOLDED_RANGE);
        return CharSet.range(first, last);
    }

    private Outline literal(int c) {
        CharSet set = range(c, c);
        if (c < 128 || fold) {
            return new Outline.Char(set(set));
        }
        // The replacement of invalid bytes, or a code point that no text contains.
        boolean standsForBytes = c == 0xFFFD || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        return standsForBytes ? new Outline.Char(set) : new Outline.Encoded(Character.toString(c));
    }

    /** A set under the flags in force. */
    CharSet set(CharSet set) {
        return fold ? set.folded() : set;
    }

    /** Reads an escaped set of characters, such as a digit; null if it is not a set. */
    @Nullable
    CharSet escapedSet() {
        char c = at + 1 < regex.length() ? regex.charAt(at + 1) : '\\';
        CharSet set = switch (c) {
            case 'd' -> CharSet.DIGIT;
            case 'D' -> CharSet.DIGIT.negated();
            case 's' -> CharSet.SPACE;
            case 'S' -> CharSet.SPACE.negated();
            case 'w' -> set(CharSet.WORD);
            case 'W' -> set(CharSet.WORD).negated();
            case 'p', 'P' -> CharSet.UNKNOWN;
            default -> null;
        };
        if (set == null) {
            return null;
        }
        at += 2;
        if (set == CharSet.UNKNOWN) {
            boolean braces = at < regex.length() && regex.charAt(at) == '{';
            int close = regex.indexOf('}', at);
            at = braces ? (close < 0 ? regex.length() : close + 1) : Math.min(regex.length(), at + 1);
        }
        return set;
    }

    int codePoint() {
        int c = regex.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    /** Reads an escaped character, the backslash included. */
    int escapedCodePoint() {
        at++;
        if (at == regex.length()) {
            return '\\';
        }
        int c = codePoint();
        return switch (c) {
            case 'a' -> 7;
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 11;
            case 'x' -> hexadecimal();
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(c - '0');
            default -> c;
        };
    }

    private int hexadecimal() {
        boolean braces = at < regex.length() && regex.charAt(at) == '{';
        int from = braces ? at + 1 : at;
        int close = braces ? regex.indexOf('}', at) : at + 2;
        int end = close < 0 ? regex.length() : Math.min(close, regex.length());
        int c = 0;
        for (int i = from; i < end && c <= Character.MAX_CODE_POINT; i++) {
            c = c * 16 + Math.max(0, Character.digit(regex.charAt(i), 16));
        }
        at = braces ? Math.min(end + 1, regex.length()) : end;
        return Math.min(c, Character.MAX_CODE_POINT);
    }

    private int octal(int first) {
        int c = first;
        for (int i = 0; i < 2 && at < regex.length(); i++) {
            int digit = Character.digit(regex.charAt(at), 8);
            if (digit < 0) {
                break;
            }
            c = c * 8 + digit;
            at++;
        }
        return c;
    }

    boolean ended() {
        return at >= regex.length();
    }

    boolean sees(String text) {
        return regex.startsWith(text, at);
    }

    /** Reads over this text if it is next. */
    boolean reads(String text) {
        boolean next = sees(text);
        at += next ? text.length() : 0;
        return next;
    }

    /** Reads a text between these two; null, and reads nothing, if they do not come. */
    @Nullable
    String readsBetween(String open, String close) {
        int end = sees(open) ? regex.indexOf(close, at + open.length()) : -1;
        if (end < 0) {
            return null;
        }
        String between = regex.substring(at + open.length(), end);
        at = end + close.length();
        return between;
    }
}
