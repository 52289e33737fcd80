package io.penstock.bench.fuzz;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request to send.
 *
 * @param operation the operation that the request addresses exactly, or null if its path or method is not in the
 * document
 * @param whole whether it is well-formed HTTP, so that an answer is due and the connection may be reused
 */
record FuzzRequest(
        Operations.@Nullable Operation operation, String method, String target, boolean whole, byte[] bytes) {

    /** For the report of a failure; long bodies are truncated. */
    String shown() {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.length() > 2000 ? text.substring(0, 2000) + "… (" + bytes.length + " bytes)" : text;
    }
}
