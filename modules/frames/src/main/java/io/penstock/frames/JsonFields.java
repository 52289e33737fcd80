package io.penstock.frames;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the members of one JSON object, as {@link JsonWriter} wrote them; an error names the member, its value and the expected one. */
final class JsonFields {

    private static final int SHOWN_CHARS = 101;

    /** The constants of an enum by their names on the wire. */
    private static final ClassValue<Map<String, Object>> CONSTANTS = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            var constants = new LinkedHashMap<String, Object>();
            for (Object constant : type.getEnumConstants()) {
                constants.put(((Enum<?>) constant).name().toLowerCase(Locale.ROOT), constant);
            }
            return constants;
        }
    };

    private final ObjectNode object;
    private final String where;

    JsonFields(ObjectNode object, String where) {
        this.object = object;
        this.where = where;
    }

    String where() {
        return where;
    }

    /** Checks that the member, if present, has this value. */
    void agrees(String name, String expected) {
        String value = textOrNull(name);
        if (value != null && !value.equals(expected)) {
            throw wrong(name, "\"" + expected + "\", to agree with the other fields");
        }
    }

    String text(String name) {
        String value = textOrNull(name);
        if (value == null) {
            throw wrong(name, "a string");
        }
        return value;
    }

    @Nullable
    String textOrNull(String name) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw wrong(name, "a string");
        }
        return value.textValue();
    }

    long number(String name) {
        Long value = numberOrNull(name);
        if (value == null) {
            throw wrong(name, "a whole number");
        }
        return value;
    }

    @Nullable
    Long numberOrNull(String name) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(name, "a whole number");
        }
        return value.longValue();
    }

    int smallNumber(String name) {
        Integer value = smallNumberOrNull(name);
        if (value == null) {
            throw wrong(name, "a whole number");
        }
        return value;
    }

    @Nullable
    Integer smallNumberOrNull(String name) {
        Long value = numberOrNull(name);
        if (value == null) {
            return null;
        }
        if (value != value.intValue()) {
            throw wrong(name, "a whole number of 32 bits");
        }
        return value.intValue();
    }

    boolean flag(String name) {
        JsonNode value = present(name);
        if (value == null || !value.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return value.booleanValue();
    }

    <E extends Enum<E>> E oneOf(String name, Class<E> type) {
        E value = oneOfOrNull(name, type);
        if (value == null) {
            throw wrong(name, "one of " + names(type));
        }
        return value;
    }

    <E extends Enum<E>> @Nullable E oneOfOrNull(String name, Class<E> type) {
        String word = textOrNull(name);
        if (word == null) {
            return null;
        }
        Object known = CONSTANTS.get(type).get(word);
        if (known == null) {
            throw wrong(name, "one of " + names(type));
        }
        return type.cast(known);
    }

    Actor actor(String name) {
        return Actor.parse(text(name));
    }

    @Nullable
    Actor actorOrNull(String name) {
        String actor = textOrNull(name);
        return actor == null ? null : Actor.parse(actor);
    }

    JsonFields in(String name) {
        JsonFields inner = inOrNull(name);
        if (inner == null) {
            throw wrong(name, "an object");
        }
        return inner;
    }

    @Nullable
    JsonFields inOrNull(String name) {
        JsonNode value = present(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof ObjectNode inner)) {
            throw wrong(name, "an object");
        }
        return new JsonFields(inner, where + "." + name);
    }

    List<JsonFields> objects(String name) {
        JsonNode value = present(name);
        if (!(value instanceof ArrayNode array)) {
            throw wrong(name, "an array of objects");
        }
        var objects = new ArrayList<JsonFields>();
        for (JsonNode element : array) {
            if (!(element instanceof ObjectNode inner)) {
                throw wrong(name, "an array of objects");
            }
            objects.add(new JsonFields(inner, where + "." + name + "[" + objects.size() + "]"));
        }
        return objects;
    }

    @Nullable
    Boolean flagOrNull(String name) {
        return present(name) == null ? null : flag(name);
    }

    JsonText json(String name) {
        JsonNode value = present(name);
        if (value == null || !value.isObject()) {
            throw wrong(name, "an object");
        }
        return JsonText.of(value);
    }

    /** All members but these. */
    JsonText without(Iterable<String> names) {
        ObjectNode rest = object.deepCopy();
        for (String name : names) {
            rest.remove(name);
        }
        return JsonText.of(rest);
    }

    private @Nullable JsonNode present(String name) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private static <E extends Enum<E>> String names(Class<E> type) {
        return String.join(", ", CONSTANTS.get(type).keySet());
    }

    private Failure wrong(String name, String expected) {
        JsonNode value = object.get(name);
        return new Failure(
                FailureCode.MALFORMED_FRAME,
                where + "." + name + " must be " + expected + ", but is "
                        + (value == null ? "missing" : shown(value.toString())));
    }

    /** As much of an invalid value as a message can hold. */
    static String shown(String value) {
        return Checks.wellFormed(WholeCharacters.fitting(value, SHOWN_CHARS));
    }
}
