package io.penstock.bench.soak;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server in its own process, on a folder that outlives it. */
public final class SoakedServer implements AutoCloseable {

    private static final String READY = "Penstock is ready at ";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Process process;
    private final URI address;
    private final long readyMs;
    private final HttpClient http = HttpClient.newHttpClient();

    private SoakedServer(Process process, URI address, long readyMs) {
        this.process = process;
        this.address = address;
        this.readyMs = readyMs;
    }

    /**
     * @param folder for the data, the tasks' workspace and the errors, in {@code data}, {@code work} and {@code errors}
     */
    static SoakedServer start(Path folder, List<String> options) throws IOException {
        return start(folder, List.of(), options);
    }

    /** @param launcher a command that runs the server, such as prlimit with its options, or none */
    public static SoakedServer start(Path folder, List<String> launcher, List<String> options) throws IOException {
        var command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseCompactObjectHeaders",
                "-cp",
                System.getProperty("java.class.path"),
                "io.penstock.server.Main",
                "up",
                "--port",
                "0",
                "--auth",
                "off",
                "--data",
                folder.resolve("data").toString(),
                "--workspace",
                folder.resolve("work").toString()));
        command.addAll(options);
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("errors").toFile()))
                .start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(READY)) {
                return new SoakedServer(
                        process,
                        URI.create(line.substring(READY.length())),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            }
        }
        throw new SoakFailure("the server did not start; its output is in " + folder.resolve("errors"));
    }

    /** The duration of its start. */
    public long readyMs() {
        return readyMs;
    }

    long pid() {
        return process.pid();
    }

    public URI address() {
        return address;
    }

    /** The Postgres started by this server, unless it has just ended. */
    public Optional<ProcessHandle> postgres() {
        return process.toHandle()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("postgres"))
                .findFirst();
    }

    String spawn(JsonObject task) {
        return new JsonObject(post("/tasks", task)).getString("task_id");
    }

    String post(String path, JsonObject body) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address.resolve(path))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body.encode())));
        if (answer.statusCode() / 100 != 2) {
            throw new SoakFailure(path + " was answered with " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    String get(String path) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address.resolve(path)));
        if (answer.statusCode() != 200) {
            throw new SoakFailure(path + " was answered with " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    int status(String path) {
        return send(HttpRequest.newBuilder(address.resolve(path))).statusCode();
    }

    void put(String path, JsonObject body) {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address.resolve(path))
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString(body.encode())));
        if (answer.statusCode() != 200) {
            throw new SoakFailure(path + " was answered with " + answer.statusCode() + " " + answer.body());
        }
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new SoakFailure("the server does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SoakFailure("interrupted", e);
        }
    }

    /** Stops or kills it, and waits for its Postgres too. */
    public void end(boolean kill) throws InterruptedException {
        List<ProcessHandle> postgres = process.toHandle()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("postgres"))
                .toList();
        if (kill) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new SoakFailure("the server did not end");
        }
        for (ProcessHandle one : postgres) {
            one.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        try {
            end(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
