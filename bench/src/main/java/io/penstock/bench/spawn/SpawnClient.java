package io.penstock.bench.spawn;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client that starts a task, waits for its end and starts the next, on one persistent connection. It blocks, which
 * leaves most of the processors to the server.
 */
public record SpawnClient(URI server, @Nullable String token) {

    private static final byte[] TRUE =
            "{\"tool\":\"exec\",\"args\":{\"argv\":[\"/bin/true\"]}}".getBytes(StandardCharsets.UTF_8);

    static {
        // A run has as many clients as connections are kept; beyond the default of five, each request would open its
        // own.
        System.setProperty("http.maxConnections", "64");
    }

    void runOne() throws IOException {
        JsonObject begun = post("/tasks", TRUE, HttpURLConnection.HTTP_CREATED);
        JsonObject state = get("/tasks/" + begun.getString("task_id") + "?wait=50000");
        Integer code = state.getInteger("exit_code");
        if (code == null || code != 0) {
            throw new IOException("a task did not end as /bin/true does: " + state);
        }
    }

    public JsonObject post(String path, byte[] json, int expected) throws IOException {
        HttpURLConnection request = opened(path);
        request.setDoOutput(true);
        request.setFixedLengthStreamingMode(json.length);
        request.setRequestProperty("content-type", "application/json");
        try (OutputStream body = request.getOutputStream()) {
            body.write(json);
        }
        return answer(request, expected);
    }

    public JsonObject get(String path) throws IOException {
        return answer(opened(path), HttpURLConnection.HTTP_OK);
    }

    /** Reads an answer line by line, until it ends or the reader has had enough. */
    public void lines(String path, Predicate<String> more) throws IOException {
        HttpURLConnection request = opened(path);
        try (var lines = new BufferedReader(new InputStreamReader(request.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && more.test(line); line = lines.readLine()) {}
        } finally {
            // The next request cannot use the connection while a part of this response is unread.
            request.disconnect();
        }
    }

    private HttpURLConnection opened(String path) throws IOException {
        var connection = (HttpURLConnection) server.resolve(path).toURL().openConnection();
        if (token != null) {
            connection.setRequestProperty("authorization", "Bearer " + token);
        }
        return connection;
    }

    private static JsonObject answer(HttpURLConnection asked, int expected) throws IOException {
        if (asked.getResponseCode() != expected) {
            throw new IOException(asked.getURL() + " was answered with " + asked.getResponseCode());
        }
        try (InputStream body = asked.getInputStream()) {
            return new JsonObject(new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
