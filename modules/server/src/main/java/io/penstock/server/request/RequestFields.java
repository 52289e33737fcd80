package io.penstock.server.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Limits;
import io.penstock.frames.WholeCharacters;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object in a request. Null counts as absent; each error names the field, its value, and what would
 * be right.
 *
 * @param prefix the path to the object, such as {@code args.}
 */
public record RequestFields(ObjectNode object, String prefix) implements Parameters {

    private static final int SHOWN_CHARS = 101;

    /**
     * Reads a JSON object.
     *
     * @param what for the error, such as "The body"
     */
    public static RequestFields parse(byte[] utf8, String what) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            return new RequestFields((ObjectNode) new JsonText(text).toNode(), "");
        } catch (CharacterCodingException e) {
            throw new Failure(FailureCode.INVALID_REQUEST, what + " cannot be used. It is not text in UTF-8", e);
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.INVALID_REQUEST, what + " cannot be used. " + e.getMessage(), e);
        }
    }

    /** Refuses unknown fields: they are misspellings, or wishes that would be silently ignored. */
    public void only(List<String> known, String hint) {
        for (var field : object.properties()) {
            if (!known.contains(field.getKey())) {
                throw wrong("There is no field \"" + prefix + shown(field.getKey()) + "\"; "
                        + (known.isEmpty() ? "none is known here" : "known are " + String.join(", ", known)) + hint);
            }
        }
    }

    @Override
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

    /** A text for the operating system, which would end it at a NUL. */
    public static String withoutNul(String text, String name) {
        if (text.indexOf('\0') >= 0) {
            throw wrong(name + " must not have a NUL character in it");
        }
        return text;
    }

    /** Bytes in base64. */
    public static byte[] base64(String text, String name) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong(name + " is not base64 (A-Z a-z 0-9 + / and = at its end): " + e.getMessage());
        }
    }

    public boolean flag(String name) {
        JsonNode value = present(name);
        if (value == null || !value.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return value.booleanValue();
    }

    @Override
    public boolean flagOrFalse(String name) {
        return present(name) != null && flag(name);
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

    @Override
    public long number(String name, long least, long most, long usual) {
        Long number = numberOrNull(name, least, most);
        return number == null ? usual : number;
    }

    public @Nullable RequestFields objectOrNull(String name) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof ObjectNode inner)) {
            throw wrong(name, "an object");
        }
        return new RequestFields(inner, prefix + name + ".");
    }

    public RequestFields object(String name) {
        RequestFields inner = objectOrNull(name);
        if (inner == null) {
            throw wrong(name, "an object");
        }
        return inner;
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

    /** The start of a wrong value, as much as fits in a message. */
    public static String shown(String value) {
        return WholeCharacters.fitting(value, SHOWN_CHARS);
    }
}
