package io.penstock.bench.fetch;

import io.penstock.bench.load.LoadedServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.jspecify.annotations.Nullable;

/** Begins tasks on a server and waits for them, as a script would. */
public final class TasksOverHttp {

    /** All of what a task writes is kept, however much it is. */
    private static final long NO_CAP = 1L << 40;

    /** An output that is stored; its path is below the data directory. */
    public record Output(String id, String path) {}

    /** Of HTTP/1.1, since the offer of another makes node ask who deals with WebSockets. */
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

    /** Runs a command to its end, and tells what it wrote. */
    public Output run(String command) throws IOException, InterruptedException {
        return output(begin(command));
    }

    /** What a task wrote, once it has ended. */
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
