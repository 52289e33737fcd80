package io.penstock.engine.agent;

import io.penstock.frames.Limits;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads JSON that an agent program has written, where every field may be missing or of another kind. */
final class AgentJson {

    /** Tokens or millionths of a dollar in one report: beyond what any turn costs, and far below what a sum can hold. */
    private static final long LARGEST_COUNT = 1_000_000_000_000L;

    private static final double MICROS = 1e6;

    private AgentJson() {}

    static @Nullable String text(JsonObject object, String name) {
        return object.getValue(name) instanceof String text ? text : null;
    }

    /** A text for one line of a frame, shortened to what it holds; null if it is blank. */
    static @Nullable String line(JsonObject object, String name) {
        return line(text(object, name));
    }

    static @Nullable String line(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        return WholeCharacters.beginning(text, Limits.TEXT_CHARS);
    }

    /** The object; an empty one if there is none. */
    static JsonObject object(JsonObject object, String name) {
        return object.getValue(name) instanceof JsonObject inner ? inner : new JsonObject();
    }

    /** The objects of an array; others are left out. */
    static List<JsonObject> objects(JsonObject object, String name) {
        var objects = new ArrayList<JsonObject>();
        if (object.getValue(name) instanceof JsonArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.getValue(i) instanceof JsonObject inner) {
                    objects.add(inner);
                }
            }
        }
        return objects;
    }

    static boolean flag(JsonObject object, String name) {
        return object.getValue(name) instanceof Boolean flag && flag;
    }

    /** A number of tokens or messages: 0 if there is none. */
    static long count(JsonObject object, String name) {
        return object.getValue(name) instanceof Number number ? Math.clamp(number.longValue(), 0, LARGEST_COUNT) : 0;
    }

    /** Dollars in millionths; null if there is no such number. */
    static @Nullable Long micros(JsonObject object, String name) {
        if (object.getValue(name) instanceof Number number && Double.isFinite(number.doubleValue())) {
            return Math.clamp(Math.round(number.doubleValue() * MICROS), 0, LARGEST_COUNT);
        }
        return null;
    }

    /** A value as text: a text as it is, others as JSON. */
    static @Nullable String encoded(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> text;
            case JsonObject object -> object.isEmpty() ? null : object.encode();
            case JsonArray array -> array.isEmpty() ? null : array.encode();
            default -> value.toString();
        };
    }
}
