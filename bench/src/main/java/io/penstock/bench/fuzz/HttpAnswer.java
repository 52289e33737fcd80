package io.penstock.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One answer as received on the socket.
 *
 * @param status 0 if the server closed the connection without an answer
 * @param headers by name in lower case; of equal names the last
 * @param body as much of it as was read
 */
record HttpAnswer(int status, Map<String, String> headers, byte[] body) {

    static final HttpAnswer CLOSED = new HttpAnswer(0, Map.of(), new byte[0]);

    static HttpAnswer ofHead(String head) {
        String[] lines = head.split("\r\n");
        var headers = new TreeMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                headers.put(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).strip());
            }
        }
        String[] first = lines[0].split(" ");
        if (first.length < 2 || !first[0].startsWith("HTTP/")) {
            throw new IllegalArgumentException("The answer does not begin like HTTP: " + lines[0]);
        }
        return new HttpAnswer(Integer.parseInt(first[1]), headers, new byte[0]);
    }

    HttpAnswer with(byte[] body) {
        return new HttpAnswer(status, headers, body);
    }

    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    boolean isJson() {
        String type = header("content-type");
        return type != null && type.startsWith("application/json");
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
