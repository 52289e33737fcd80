package io.penstock.server;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A client that runs tasks on a server over HTTP. */
public final class TaskClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String address;
    private final HttpClient http = HttpClient.newHttpClient();

    public TaskClient(ServerProcess server) {
        address = server.address();
    }

    public static JsonObject bash(String command) {
        return new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", command));
    }

    public static JsonObject terminal(String command) {
        return bash(command).put("execution_mode", "pty");
    }

    public String spawn(JsonObject task) {
        HttpResponse<String> spawned = post("/tasks", task);
        if (spawned.statusCode() != 201) {
            throw new AssertionError(spawned.statusCode() + " " + spawned.body());
        }
        return new JsonObject(spawned.body()).getString("task_id");
    }

    public HttpResponse<String> post(String path, JsonObject body) {
        return send(to(path).header("content-type", "application/json").POST(BodyPublishers.ofString(body.encode())));
    }

    public HttpResponse<String> type(String task, String text) {
        String bytes = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return post("/tasks/" + task + "/stdin", new JsonObject().put("chunk_b64", bytes));
    }

    public HttpResponse<String> delete(String path) {
        return send(to(path).DELETE());
    }

    public HttpResponse<String> get(String path) {
        return send(to(path));
    }

    public JsonObject status(String task) {
        return new JsonObject(get("/tasks/" + task).body());
    }

    public HttpResponse<String> get(String path, String range) {
        return send(to(path).header("range", range));
    }

    /** The status once it has ended. */
    public JsonObject ended(String task) {
        JsonObject status = new JsonObject(get("/tasks/" + task + "?wait=50000").body());
        if (!"ended".equals(status.getString("phase"))) {
            throw new AssertionError("has not ended: " + status.encode());
        }
        return status;
    }

    /** All frames up to the end. */
    public List<JsonObject> events(String task) {
        return events(task, 0);
    }

    public List<JsonObject> events(String task, long fromSeq) {
        var all = new ArrayList<JsonObject>();
        read(task, "?until=end&from_seq=" + fromSeq, frame -> !all.add(frame));
        return all;
    }

    public List<JsonObject> events(String task, String query) {
        var all = new ArrayList<JsonObject>();
        read(task, "?until=end&" + query, frame -> !all.add(frame));
        return all;
    }

    /** Reads until this many bytes of output are recorded. */
    public void untilWritten(String task, long bytes) {
        read(task, "?text=none", frame -> {
            JsonObject artifacts = frame.getJsonObject("artifacts");
            JsonObject log = artifacts == null ? null : artifacts.getJsonObject("log");
            return log != null && log.getLong("bytes_total", 0L) >= bytes;
        });
    }

    /** All frames up to the first that satisfies the condition. */
    public List<JsonObject> until(String task, Predicate<JsonObject> last) {
        var all = new ArrayList<JsonObject>();
        read(task, "", frame -> {
            all.add(frame);
            return last.test(frame);
        });
        return all;
    }

    /** All frames up to the one that completes these words. */
    public List<JsonObject> untilShown(String task, String words) {
        return untilShown(task, 0, words);
    }

    /** The same, starting at this frame. */
    public List<JsonObject> untilShown(String task, long fromSeq, String words) {
        var all = new ArrayList<JsonObject>();
        var shown = new StringBuilder();
        read(task, "?text=full&from_seq=" + fromSeq, frame -> {
            all.add(frame);
            return shown.append(frame.getString("chunk", "")).indexOf(words) >= 0;
        });
        return all;
    }

    /** All frames up to the nth one that reports a wait for input. */
    public List<JsonObject> untilItWaits(String task, int times) {
        var waits = new int[1];
        return until(task, frame -> InputWaits.begins(frame) && ++waits[0] == times);
    }

    private void read(String task, String query, Predicate<JsonObject> last) {
        try {
            HttpResponse<Stream<String>> answer =
                    http.send(to("/tasks/" + task + "/events" + query).build(), BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                throw new AssertionError(answer.statusCode() + " for " + task + query);
            }
            try (Stream<String> lines = answer.body()) {
                boolean found = lines.filter(line -> line.startsWith("data: "))
                        .map(line -> new JsonObject(line.substring("data: ".length())))
                        .anyMatch(last);
                if (!found && !query.contains("until=end")) {
                    throw new AssertionError("the events of " + task + " ended before what was waited for");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public byte[] artifact(String id, String range) {
        try {
            return http.send(to("/artifacts/" + id).header("range", range).build(), BodyHandlers.ofByteArray())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static List<String> types(List<JsonObject> frames) {
        return frames.stream().map(frame -> frame.getString("type")).toList();
    }

    public static List<JsonObject> ofType(List<JsonObject> frames, String type) {
        return frames.stream()
                .filter(frame -> frame.getString("type").equals(type))
                .toList();
    }

    public List<JsonObject> listed() {
        JsonArray tasks = new JsonArray(get("/tasks").body());
        return tasks.stream().map(task -> (JsonObject) task).toList();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
