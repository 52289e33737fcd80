package io.penstock.sample;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers and booleans. A member whose value is null is read as one that is absent. */
final class Json {

    /** Written as null. */
    static final Object NULL = new Object();

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** An object with these members, in this order. */
    static Map<String, Object> object(Object... namesAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    /** Throws {@link IOException} if the bytes are anything but one object. */
    static Map<?, ?> read(byte[] text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it is not an object");
            }
            Map<?, ?> object = object(parser);
            if (parser.nextToken() != null) {
                throw new IOException("more follows the object");
            }
            return object;
        }
    }

    private static Map<?, ?> object(JsonParser parser) throws IOException {
        var object = new LinkedHashMap<String, Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                object.put(name, value(parser));
            }
        }
        return object;
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                var list = new ArrayList<Object>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (parser.currentToken() != JsonToken.VALUE_NULL) {
                        list.add(value(parser));
                    }
                }
                yield list;
            }
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_STRING -> parser.getText();
            case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT, VALUE_NULL ->
                throw new IOException("it is cut off");
        };
    }

    /** One line, with its end. */
    static byte[] line(Map<?, ?> object) {
        var text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(json, object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Not by the generator: it refuses half of a surrogate pair, which a client may send and be sent back.
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> object -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> member : object.entrySet()) {
                    json.writeFieldName((String) member.getKey());
                    write(json, member.getValue());
                }
                json.writeEndObject();
            }
            case Collection<?> list -> {
                json.writeStartArray();
                for (Object each : list) {
                    write(json, each);
                }
                json.writeEndArray();
            }
            case String text -> json.writeString(text);
            case Boolean flag -> json.writeBoolean(flag);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number);
            default -> json.writeNull();
        }
    }

    /** The member, if it is an object; else an empty one. */
    static Map<?, ?> in(Map<?, ?> object, String name) {
        return object.get(name) instanceof Map<?, ?> inner ? inner : Map.of();
    }

    /** The member, if it is a string; else an empty one. */
    static String text(Map<?, ?> object, String name) {
        return object.get(name) instanceof String text ? text : "";
    }

    /** The member, if it is an array; else an empty one. */
    static List<?> list(Map<?, ?> object, String name) {
        return object.get(name) instanceof List<?> list ? list : List.of();
    }

    static boolean isTrue(Map<?, ?> object, String name) {
        return Boolean.TRUE.equals(object.get(name));
    }
}
