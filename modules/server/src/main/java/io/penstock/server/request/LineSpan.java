package io.penstock.server.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that a caller asks for, counted from 1.
 *
 * @param last the last of them, {@link Long#MAX_VALUE} for all from the first on
 */
public record LineSpan(long first, long last) {

    /** Fifteen digits: more lines than any output has, and a number that every client can handle. */
    public static final Pattern FORM = Pattern.compile("([0-9]{1,15})-([0-9]{1,15})?");

    /** The form in words, after "must be". */
    public static final String EXPECTED = "FIRST-LAST or FIRST-, counted from 1, such as 1-100";

    /** The longest text of this form. */
    public static final int CHARS = 31;

    /** @param name the field's name for the error message */
    public static LineSpan parse(String name, String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            String end = form.group(2);
            long first = Long.parseLong(form.group(1));
            long last = end == null ? Long.MAX_VALUE : Long.parseLong(end);
            if (first >= 1 && last >= first) {
                return new LineSpan(first, last);
            }
        }
        throw RequestFields.wrong(name + " must be " + EXPECTED + ", but is \"" + RequestFields.shown(text) + "\"");
    }
}
