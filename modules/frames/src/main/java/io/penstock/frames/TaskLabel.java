package io.penstock.frames;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A session's name for one of its tasks, usable in queries. It consists of the same characters as ids, so that it needs no quoting in an
 * address or a command. Several tasks may have the same label.
 */
public record TaskLabel(String text) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]*");

    public TaskLabel {
        if (text.length() > Limits.LABEL_CHARS) {
            throw new IllegalArgumentException(
                    "A label has at most " + Limits.LABEL_CHARS + " characters, this one has " + text.length());
        }
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("A label starts with a letter from a to z or a digit and continues with"
                    + " those or one of . _ : @ -, unlike \"" + text + "\"");
        }
    }

    public static @Nullable TaskLabel ofNullable(@Nullable String text) {
        return text == null ? null : new TaskLabel(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
