package io.penstock.server.tools.shell;

import io.penstock.frames.Limits;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/** The answer to a run, small enough to be kept for repeats of the call. */
final class KeptAnswer {

    private static final List<String> TEXTS = List.of("stdout", "stderr", "command");

    private KeptAnswer() {}

    /** The answer, with the beginnings of its texts if it would be too large, and saying so: a character takes up to six bytes. */
    static JsonObject of(JsonObject answer) {
        while (bytes(answer.encode()) > Limits.IDEMPOTENCY_ANSWER_BYTES) {
            String largest = TEXTS.stream()
                    .max(Comparator.comparingInt(name -> bytes(Json.encode(answer.getString(name)))))
                    .orElseThrow();
            answer.put(largest, firstHalf(answer.getString(largest))).put("shortened", true);
        }
        return answer;
    }

    private static String firstHalf(String text) {
        return WholeCharacters.beginning(text, text.length() / 2);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
