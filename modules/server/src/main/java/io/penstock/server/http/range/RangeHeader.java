package io.penstock.server.http.range;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the {@code Range} header. A malformed header, or one in another unit than bytes, counts as absent. Spans that
 * overlap or touch are merged, at the place of the first of them, so that no byte is sent twice.
 */
public final class RangeHeader {

    /** More than media players and document viewers request; each span costs a part with its own header. */
    public static final int SPANS = 16;

    private static final String UNIT = "bytes=";
    private static final Pattern SPEC = Pattern.compile("([0-9]*)-([0-9]*)");

    private RangeHeader() {}

    /** @param values of the header, one for each time it was sent */
    public static Wanted read(List<String> values, long length) {
        if (values.size() != 1 || !values.getFirst().toLowerCase(Locale.ROOT).startsWith(UNIT)) {
            return new Wanted.Whole();
        }
        var found = new ArrayList<ByteSpan>();
        int asked = 0;
        for (String element : values.getFirst().substring(UNIT.length()).split(",", -1)) {
            String text = trimmed(element);
            if (text.isEmpty()) {
                // Lists in headers may have empty elements.
                continue;
            }
            Matcher spec = SPEC.matcher(text);
            if (!spec.matches() || !isValid(spec.group(1), spec.group(2))) {
                return new Wanted.Whole();
            }
            asked++;
            ByteSpan span = span(spec.group(1), spec.group(2), length);
            if (span != null) {
                found.add(span);
            }
        }
        if (asked == 0) {
            return new Wanted.Whole();
        }
        if (found.isEmpty()) {
            return new Wanted.Nothing("None of the requested bytes exists: there are " + length + " bytes");
        }
        List<ByteSpan> apart = apart(found);
        return apart.size() > SPANS
                ? new Wanted.Nothing("At most " + SPANS + " ranges can be requested at once, not " + apart.size())
                : new Wanted.Spans(apart);
    }

    private static String trimmed(String element) {
        int from = 0;
        int to = element.length();
        while (from < to && isBlank(element.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(element.charAt(to - 1))) {
            to--;
        }
        return element.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isValid(String first, String last) {
        return first.isEmpty() ? !last.isEmpty() : last.isEmpty() || number(last) >= number(first);
    }

    private static @Nullable ByteSpan span(String first, String last, long length) {
        if (first.isEmpty()) {
            long suffix = Math.min(number(last), length);
            return suffix == 0 ? null : new ByteSpan(length - suffix, length - 1);
        }
        long from = number(first);
        if (from >= length) {
            return null;
        }
        return new ByteSpan(from, last.isEmpty() ? length - 1 : Math.min(number(last), length - 1));
    }

    /** Any number of digits: a value beyond a long is beyond every end too. */
    private static long number(String digits) {
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (number > (Long.MAX_VALUE - digit) / 10) {
                return Long.MAX_VALUE;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    private record Placed(int place, ByteSpan span) {}

    private static List<ByteSpan> apart(List<ByteSpan> spans) {
        var sorted = new ArrayList<Placed>();
        for (int i = 0; i < spans.size(); i++) {
            sorted.add(new Placed(i, spans.get(i)));
        }
        sorted.sort(Comparator.comparingLong(placed -> placed.span().first()));
        var joined = new ArrayList<Placed>();
        for (Placed next : sorted) {
            Placed before = joined.isEmpty() ? null : joined.getLast();
            if (before != null && next.span().first() <= before.span().last() + 1) {
                joined.set(
                        joined.size() - 1,
                        new Placed(
                                Math.min(before.place(), next.place()),
                                new ByteSpan(
                                        before.span().first(),
                                        Math.max(
                                                before.span().last(),
                                                next.span().last()))));
            } else {
                joined.add(next);
            }
        }
        joined.sort(Comparator.comparingInt(Placed::place));
        return joined.stream().map(Placed::span).toList();
    }
}
