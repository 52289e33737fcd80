package io.penstock.server.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.Words;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values that a field may have: described as JSON schema, and checked in a request. */
public sealed interface FieldType {

    /** The ids of sessions and artifacts. */
    static FieldType id(int maxChars) {
        return new Form(
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]*"),
                "letters, digits and . _ : @ -, with a letter or digit first",
                maxChars);
    }

    JsonObject schema();

    /** The same in words, after "must be". */
    String expected();

    /** The value in a request, or null if there is none; a wrong one is a failure that names the field and the value. */
    @Nullable
    Object read(RequestFields given, String name);

    /** Any text. */
    record Text(int maxChars) implements FieldType {
        @Override
        public JsonObject schema() {
            return new JsonObject().put("type", "string").put("maxLength", maxChars);
        }

        @Override
        public String expected() {
            return "a string";
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            return given.textOrNull(name, maxChars);
        }
    }

    /**
     * Text of a form.
     *
     * @param form of the whole text
     * @param expected the form in words
     */
    record Form(Pattern form, String expected, int maxChars) implements FieldType {
        @Override
        public JsonObject schema() {
            return new JsonObject()
                    .put("type", "string")
                    .put("pattern", "^" + form.pattern() + "$")
                    .put("maxLength", maxChars);
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            String text = given.textOrNull(name, maxChars);
            if (text != null && !form.matcher(text).matches()) {
                throw RequestFields.wrong(
                        name + " must be " + expected + ", but is \"" + RequestFields.shown(text) + "\"");
            }
            return text;
        }
    }

    /** A whole number. */
    record WholeNumber(long least, long most) implements FieldType {
        @Override
        public JsonObject schema() {
            return new JsonObject().put("type", "integer").put("minimum", least).put("maximum", most);
        }

        @Override
        public String expected() {
            return "a whole number from " + least + " to " + most;
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            return given.numberOrNull(name, least, most);
        }
    }

    /** One of a few words. */
    record Word(List<String> words) implements FieldType {
        public Word {
            words = List.copyOf(words);
        }

        @Override
        public JsonObject schema() {
            return new JsonObject().put("type", "string").put("enum", new JsonArray(words));
        }

        @Override
        public String expected() {
            return Words.list(words);
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            String word = given.textOrNull(name);
            if (word != null && !words.contains(word)) {
                throw Words.unknown(name, words, word);
            }
            return word;
        }
    }

    /** True or false. */
    record Flag() implements FieldType {
        @Override
        public JsonObject schema() {
            return new JsonObject().put("type", "boolean");
        }

        @Override
        public String expected() {
            return "true or false";
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            return given.object().hasNonNull(name) ? given.flag(name) : null;
        }
    }

    /** One object. */
    record Nested(Fields fields) implements FieldType {
        @Override
        public JsonObject schema() {
            return fields.ofParameters();
        }

        @Override
        public String expected() {
            return "an object";
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            RequestFields inner = given.objectOrNull(name);
            return inner == null ? null : fields.read(inner);
        }
    }

    /** A list of objects. */
    record ObjectList(Fields fields, int most) implements FieldType {
        @Override
        public JsonObject schema() {
            return new JsonObject().put("type", "array").put("maxItems", most).put("items", fields.ofParameters());
        }

        @Override
        public String expected() {
            return "a list of at most " + most + " objects";
        }

        @Override
        public @Nullable Object read(RequestFields given, String name) {
            if (!given.object().hasNonNull(name)) {
                return null;
            }
            JsonNode value = given.object().get(name);
            if (!value.isArray() || value.size() > most) {
                throw RequestFields.wrong(name + " must be " + expected() + ", but is "
                        + (value.isArray() ? "one of " + value.size() : RequestFields.shown(value.toString())));
            }
            var list = new JsonArray();
            for (JsonNode each : value) {
                String place = name + "[" + list.size() + "]";
                if (!(each instanceof ObjectNode object)) {
                    throw RequestFields.wrong(
                            place + " must be an object, but is " + RequestFields.shown(each.toString()));
                }
                list.add(fields.read(new RequestFields(object, place + ".")));
            }
            return list;
        }
    }
}
