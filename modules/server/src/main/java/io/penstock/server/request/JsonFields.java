package io.penstock.server.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object in a request. What is null counts as left out; each complaint names the field, what it was, and what
 * would be right.
 *
 * @param prefix how the object is reached, such as {@code args.}
 */
public record JsonFields(ObjectNode object, String prefix) {

    private static final int SHOWN_CHARS = 100;

    /** Refuses what is not known, for it is a misspelling, or a wish that would silently not be granted. */
    public void only(List<String> known, String hint) {
        for (var field : object.properties()) {
            if (!known.contains(field.getKey())) {
                throw wrong("There is no field \"" + prefix + shown(field.getKey()) + "\"; "
                        + (known.isEmpty() ? "none is known here" : "known are " + String.join(", ", known)) + hint);
            }
        }
    }

    public @Nullable String textOrNull(String name) {
        return textOrNull(name, Limits.TEXT_CHARS);
    }

    public @Nullable String textOrNull(String name, int maxChars) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw wrong(name, "a string");
        }
        String text = value.textValue();
        if (text.length() > maxChars) {
            throw wrong(prefix + name + " has at most " + maxChars + " characters, this one has " + text.length());
        }
        return text;
    }

    public String text(String name, int maxChars) {
        String text = textOrNull(name, maxChars);
        if (text == null) {
            throw wrong(name, "a string");
        }
        return text;
    }

    /** A text for the operating system, for which a NUL would be the end. */
    public static String withoutNul(String text, String name) {
        if (text.indexOf('\0') >= 0) {
            throw wrong(name + " must not have a NUL character in it");
        }
        return text;
    }

    public boolean flag(String name) {
        JsonNode value = present(name);
        if (value == null || !value.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return value.booleanValue();
    }

    public @Nullable Long numberOrNull(String name, long least, long most) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        boolean fits = value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= least
                && value.longValue() <= most;
        if (!fits) {
            throw wrong(name, "a whole number from " + least + " to " + most);
        }
        return value.longValue();
    }

    public long number(String name, long least, long most) {
        Long number = numberOrNull(name, least, most);
        if (number == null) {
            throw wrong(name, "a whole number from " + least + " to " + most);
        }
        return number;
    }

    public long number(String name, long least, long most, long usual) {
        Long number = numberOrNull(name, least, most);
        return number == null ? usual : number;
    }

    public @Nullable JsonFields objectOrNull(String name) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof ObjectNode inner)) {
            throw wrong(name, "an object");
        }
        return new JsonFields(inner, prefix + name + ".");
    }

    private @Nullable JsonNode present(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private Failure wrong(String name, String expected) {
        JsonNode value = object.get(name);
        return wrong(prefix + name + " must be " + expected + ", but is "
                + (value == null ? "missing" : shown(value.toString())));
    }

    public static Failure wrong(String message) {
        return new Failure(FailureCode.INVALID_REQUEST, message);
    }

    /** As much of what was wrong as a sentence can hold. */
    public static String shown(String value) {
        return value.length() <= SHOWN_CHARS ? value : value.substring(0, SHOWN_CHARS) + "…";
    }
}
