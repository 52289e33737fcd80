package io.penstock.frames;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A JSON object that is passed on without being interpreted: immutable, compact, with members in their original order and exact numbers.
 * A name occurs at most once in an object.
 */
public record JsonText(String text) {

    public static final JsonText EMPTY = new JsonText("{}");

    public JsonText {
        text = compact(text);
    }

    public static JsonText of(JsonNode node) {
        return new JsonText(node.toString());
    }

    public JsonNode toNode() {
        return StrictJson.read(StrictJson.TEXTS, text);
    }

    private static String compact(String text) {
        if (text.equals("{}")) {
            return text;
        }
        String compact = checked(text);
        String wellFormed = Checks.wellFormed(compact);
        // The replacement of unpaired surrogates may have made two names equal.
        return wellFormed.equals(compact) ? compact : checked(wellFormed);
    }

    private static String checked(String text) {
        JsonNode node = StrictJson.read(StrictJson.TEXTS, text);
        if (!node.isObject()) {
            throw new IllegalArgumentException("A JSON object is expected here, not " + node.getNodeType());
        }
        return node.toString();
    }
}
