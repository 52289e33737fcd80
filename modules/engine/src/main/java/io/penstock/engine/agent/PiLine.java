package io.penstock.engine.agent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line of pi. With each part of a message, pi repeats the whole message twice, behind the part: these lines are read up to there, or
 * the time to read a message would grow with the square of its length.
 */
final class PiLine {

    private static final String UPDATE = "{\"type\":\"message_update\",\"assistantMessageEvent\":";
    private static final JsonFactory JSON = new JsonFactory();

    private PiLine() {}

    /** The object in a line; null if there is none. */
    static @Nullable JsonObject object(String line) {
        if (line.startsWith(UPDATE)) {
            JsonObject part = part(line);
            if (part != null) {
                return new JsonObject().put("type", "message_update").put("assistantMessageEvent", part);
            }
        }
        return AgentLines.object(line);
    }

    /** The type and text of a part; null if it is not written as usual. */
    private static @Nullable JsonObject part(String line) {
        var part = new JsonObject();
        try (JsonParser parser = JSON.createParser(line.substring(UPDATE.length()))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME
                    && !parser.currentName().equals("partial")) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING) {
                    part.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
            return part.containsKey("type") ? part : null;
        } catch (IOException e) {
            return null;
        }
    }
}
