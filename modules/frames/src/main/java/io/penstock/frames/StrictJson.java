package io.penstock.frames;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The strict reading of JSON: one value and nothing after it, no name twice in an object, numbers with all their digits. */
final class StrictJson {

    /** For JSON that is passed on. */
    static final ObjectMapper TEXTS = reading(Limits.JSON_DEPTH);

    /** For frames and states, which contain such JSON. */
    static final ObjectMapper FRAMES = reading(Limits.JSON_DEPTH + 8);

    /** For writing: characters beyond 16 bits as themselves, in 4 bytes rather than the 12 of their escapes. */
    static final JsonFactory WRITING = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private StrictJson() {}

    static JsonNode read(ObjectMapper mapper, String text) {
        try {
            JsonNode node = mapper.readTree(text);
            if (node.isMissingNode()) {
                throw new IllegalArgumentException("Not JSON: it is empty");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not JSON: " + sentence(e.getOriginalMessage()), e);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Not JSON that can be read: a number has an exponent out of range", e);
        }
    }

    /** Jackson's message without its own internals. */
    private static String sentence(String message) {
        return message.startsWith("Trailing token")
                ? "there is more after its end"
                : message.split(" \\(|\\n| for `", 2)[0];
    }

    private static ObjectMapper reading(int depth) {
        var factory = JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(depth).build())
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                // Cheaper than the check in the parser.
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }
}
