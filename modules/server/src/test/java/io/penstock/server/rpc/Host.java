package io.penstock.server.rpc;

import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A host as somebody would write it: sends lines, and reads lines. */
final class Host implements AutoCloseable {

    private static final int PATIENCE_MS = 30_000;

    private final Socket socket;
    private final InputStream in;

    /** All lines so far, in their order. */
    final List<JsonObject> heard = new ArrayList<>();

    Host(String address) {
        try {
            int colon = address.lastIndexOf(':');
            socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
            socket.setSoTimeout(PATIENCE_MS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection that gets events: its first request is answered. */
    static Host listening(String address) {
        var host = new Host(address);
        host.ask("get_state", new JsonObject());
        return host;
    }

    /** Of its end of the connection. */
    int port() {
        return socket.getLocalPort();
    }

    void send(String line) {
        send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends no more, but reads. */
    void endInput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(String id, String type, JsonObject payload) {
        send(new JsonObject()
                .put("id", id)
                .put("type", type)
                .put("payload", payload)
                .encode());
    }

    /** The next line as it comes; null at the end. */
    @Nullable
    String nextLine() {
        try {
            var line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    return null;
                }
                line.write(next);
            }
            return line.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonObject next() {
        String line = nextLine();
        if (line == null) {
            throw new AssertionError("The connection was closed after " + heard);
        }
        var object = new JsonObject(line);
        heard.add(object);
        return object;
    }

    /** The next line that meets the condition. */
    JsonObject until(Predicate<JsonObject> wanted) {
        JsonObject next = next();
        while (!wanted.test(next)) {
            next = next();
        }
        return next;
    }

    JsonObject event(String event, String task) {
        return until(line -> event.equals(line.getString("event")) && task.equals(line.getString("taskId")));
    }

    /** The same event, which may have come already. */
    JsonObject eventSoFar(String event, String task) {
        return heard.stream()
                .filter(line -> event.equals(line.getString("event")) && task.equals(line.getString("taskId")))
                .findFirst()
                .orElseGet(() -> event(event, task));
    }

    /** The response to a request with this id. */
    JsonObject response(String id) {
        return until(line -> id.equals(line.getString("id")));
    }

    JsonObject ask(String id, String type, JsonObject payload) {
        send(id, type, payload);
        return response(id);
    }

    JsonObject ask(String type, JsonObject payload) {
        return ask("req_" + UUID.randomUUID(), type, payload);
    }

    /** The result of a request that must succeed. */
    JsonObject done(String type, JsonObject payload) {
        JsonObject response = ask(type, payload);
        if (!response.getBoolean("ok")) {
            throw new AssertionError(type + " " + payload + " was answered " + response);
        }
        return response.getJsonObject("result");
    }

    /** The code of a request that must fail. */
    String refused(String type, JsonObject payload) {
        JsonObject response = ask(type, payload);
        if (response.getBoolean("ok")) {
            throw new AssertionError(type + " " + payload + " was answered " + response);
        }
        return response.getJsonObject("error").getString("code");
    }

    static JsonObject task(String name) {
        return new JsonObject().put("taskId", name);
    }

    static JsonObject message(String text, String promptId) {
        return new JsonObject().put("message", text).put("promptId", promptId);
    }

    JsonObject create(String name) {
        return done("create_or_open_task", task(name));
    }

    void switchTo(String name) {
        done("switch_task", task(name));
        event("task_ready", name);
    }

    void prompt(String text, String promptId) {
        done("prompt", message(text, promptId));
    }

    JsonObject stop(String name) {
        return done("stop_task", task(name));
    }

    /** The state of a task in get_state. */
    String state(String name) {
        return done("get_state", new JsonObject()).getJsonArray("tasks").stream()
                .map(JsonObject.class::cast)
                .filter(row -> row.getString("taskId").equals(name))
                .map(row -> row.getString("state"))
                .findFirst()
                .orElse("missing");
    }

    @Nullable
    String active() {
        return done("get_state", new JsonObject()).getString("activeTaskId");
    }

    /** The text that an agent has said in events of this prompt. */
    String said(String promptId) {
        var text = new StringBuilder();
        for (JsonObject line : heard) {
            JsonObject payload = line.getJsonObject("payload", new JsonObject());
            if ("agent_output".equals(line.getString("event")) && promptId.equals(payload.getString("promptId"))) {
                text.append(payload.getString("chunk"));
            }
        }
        return text.toString();
    }

    /** Reads to the end of the connection. */
    List<String> rest() {
        var lines = new ArrayList<String>();
        for (String line = nextLine(); line != null; line = nextLine()) {
            lines.add(line);
        }
        return lines;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
