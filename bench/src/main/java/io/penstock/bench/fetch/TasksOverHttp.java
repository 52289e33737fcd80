package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/** Starts tasks on a server and waits for them, as a script would. */
public final class TasksOverHttp {

    /** Keeps all output of a task, however large. */
    private static final long NO_CAP = 1L << 40;

    /** A stored output; its path is relative to the data directory. */
    public record Output(String id, String path) {}

    /** HTTP/1.1, since an offered upgrade makes node look for a WebSocket handler. */
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI address;
    private final @Nullable String token;

    public TasksOverHttp(URI address, @Nullable String token) {
        this.address = address;
        this.token = token;
    }

    public TasksOverHttp(LoadedServer server) {
        this(server.address(), server.token());
    }

    public String begin(String command) throws IOException, InterruptedException {
        return begin(command, "pipes");
    }

    /** @param mode "pipes" or "pty" */
    public String begin(String command, String mode) throws IOException, InterruptedException {
        var body = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("args", new JsonObject().put("command", command).put("artifact_max_bytes", NO_CAP));
        return ask(request("/tasks").POST(HttpRequest.BodyPublishers.ofString(body.encode())))
                .getString("task_id");
    }

    /** Starts a task in a terminal and keeps all its output. */
    String beginInTerminal(String command) throws IOException, InterruptedException {
        var body = new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", "pty")
                .put("args", new JsonObject().put("command", command).put("artifact_max_bytes", NO_CAP));
        return ask(request("/tasks").POST(HttpRequest.BodyPublishers.ofString(body.encode())))
                .getString("task_id");
    }

    /** The number of bytes written to a terminal. */
    long terminalBytes(String task) throws IOException, InterruptedException {
        return ask(request("/tasks/" + task).GET())
                .getJsonObject("artifacts")
                .getJsonObject("logs")
                .getJsonObject("pty")
                .getLong("bytes_total");
    }

    /** A terminal's screen as bytes for another terminal. */
    byte[] screen(String task, int scrollback) throws IOException, InterruptedException {
        var answer = client.send(
                request("/tasks/" + task + "/screen?format=ansi&scrollback=" + scrollback)
                        .GET()
                        .build(),
                BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.uri() + " answered " + answer.statusCode());
        }
        return answer.body();
    }

    void stop(String task) throws IOException, InterruptedException {
        ask(request("/tasks/" + task + "/cancel").POST(HttpRequest.BodyPublishers.ofString("{}")));
    }

    /** Runs a command to its end, and returns its output. */
    public Output run(String command) throws IOException, InterruptedException {
        return output(begin(command));
    }

    /** The output of a task that has ended. */
    public Output output(String task) throws IOException, InterruptedException {
        return output(task, "stdout");
    }

    public Output output(String task, String channel) throws IOException, InterruptedException {
        JsonObject state;
        do {
            state = ask(request("/tasks/" + task + "?wait=50000").GET());
        } while (state.getValue("ended_at_ms") == null);
        JsonObject log = state.getJsonObject("artifacts").getJsonObject("logs").getJsonObject(channel);
        return new Output(log.getString("id"), log.getString("path"));
    }

    public void cancel(String task) throws IOException, InterruptedException {
        ask(request("/tasks/" + task + "/cancel").POST(HttpRequest.BodyPublishers.ofString("{}")));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address.resolve(path)).header("content-type", "application/json");
        return token == null ? request : request.header("authorization", "Bearer " + token);
    }

    private JsonObject ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = client.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(answer.uri() + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return new JsonObject(answer.body());
    }
}
