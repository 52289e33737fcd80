package io.penstock.frames;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A JSON object that we pass on without reading it: immutable, compact, its members in the order they came. */
public record JsonText(String text) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    public static final JsonText EMPTY = new JsonText("{}");

    public JsonText {
        text = compact(text);
    }

    public static JsonText of(JsonNode node) {
        return new JsonText(node.toString());
    }

    public JsonNode toNode() {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("checked in the constructor", e);
        }
    }

    private static String compact(String text) {
        if (text.equals("{}")) {
            return text;
        }
        try {
            JsonNode node = MAPPER.readTree(text);
            if (!node.isObject()) {
                throw new IllegalArgumentException("A JSON object is expected here, not " + node.getNodeType());
            }
            return node.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not JSON: " + e.getOriginalMessage(), e);
        }
    }
}
