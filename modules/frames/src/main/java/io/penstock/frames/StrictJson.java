package io.penstock.frames;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** How JSON is read: one value and nothing after it, no name twice in an object, numbers with all their digits. */
final class StrictJson {

    /** For texts that are passed on. */
    static final ObjectMapper TEXTS = reading(Limits.JSON_DEPTH);

    /** For frames and states, in which such texts stand. */
    static final ObjectMapper FRAMES = reading(Limits.JSON_DEPTH + 8);

    private StrictJson() {}

    private static ObjectMapper reading(int depth) {
        var factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(depth).build())
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }
}
