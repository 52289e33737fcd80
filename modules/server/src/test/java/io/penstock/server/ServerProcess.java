package io.penstock.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code penstock up} as a process of its own, run from the classes under test. */
final class ServerProcess implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String READY = "Penstock is ready at ";
    private static final long DEADLINE_SECONDS = 90;

    private final Process process;
    private final List<String> said = new ArrayList<>();
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private @Nullable String address;

    private ServerProcess(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().start(this::read);
    }

    /** As it comes: a server whose output nobody takes stands still with the line that does not fit any more. */
    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(Optional.of(line));
            }
        } catch (IOException e) {
            // It was killed.
        }
        lines.add(Optional.empty());
    }

    /** Starts it and waits until it says that it is ready. */
    static ServerProcess ready(Path data, String... options) {
        ServerProcess server = begin(data, options);
        server.awaitReady();
        return server;
    }

    void awaitReady() {
        String line = nextLine();
        while (line != null && !line.startsWith(READY)) {
            line = nextLine();
        }
        if (line == null) {
            throw new AssertionError("did not become ready: " + said);
        }
        address = line.substring(READY.length());
    }

    /** Reads on in what it says until a line with these words. */
    void until(String words) {
        String line = said.getLast();
        while (line != null && said.stream().noneMatch(each -> each.contains(words))) {
            line = nextLine();
        }
        if (line == null) {
            throw new AssertionError("never said \"" + words + "\": " + said);
        }
    }

    static ServerProcess begin(Path data, String... options) {
        return begin(command(data, options));
    }

    /** As a person does, who sees on a terminal what it says. */
    static ServerProcess beginOnATerminal(Path data, String... options) {
        return begin(List.of("script", "-qefc", String.join(" ", command(data, options)), "/dev/null"));
    }

    private static List<String> command(Path data, String... options) {
        // Who runs the tests in the background, or with nohup, has its children ignore Ctrl-C, or hang-ups; this one
        // must not.
        var command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT,HUP",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "up",
                "--data",
                data.toString()));
        command.addAll(List.of(options));
        return command;
    }

    /** One that says much in its log, which nobody reads. */
    static ServerProcess readyWithAnUnreadLog(Path data, String... options) {
        var builder = new ProcessBuilder(command(data, options));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dorg.slf4j.simpleLogger.log.io.vertx=trace");
        ServerProcess server = begin(builder);
        server.awaitReady();
        return server;
    }

    private static ServerProcess begin(List<String> command) {
        return begin(new ProcessBuilder(command).redirectErrorStream(true));
    }

    private static ServerProcess begin(ProcessBuilder builder) {
        // Unpacked once for all tests; in /tmp, since the account 'nobody' must reach it.
        builder.environment().put("XDG_CACHE_HOME", "/tmp/penstock-test-cache");
        try {
            return new ServerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder of a test's own that the account 'nobody' reaches, under which Postgres runs when the tests are root's. */
    static Path folder() {
        try {
            Path folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-server-test-");
            return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable String nextLine() {
        try {
            Optional<String> line = lines.take();
            line.ifPresentOrElse(said::add, () -> lines.add(line));
            return line.orElse(null);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String address() {
        return String.valueOf(address);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Posts JSON with the token of its data directory. */
    HttpResponse<String> post(Path data, String path, String json, String idempotencyKey) {
        try {
            return send(HttpRequest.newBuilder(URI.create(address() + path))
                    .header(
                            "authorization",
                            "Bearer " + Files.readString(data.resolve("token")).strip())
                    .header("content-type", "application/json")
                    .header("idempotency-key", idempotencyKey)
                    .POST(HttpRequest.BodyPublishers.ofString(json))
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(address() + path)).build());
    }

    HttpResponse<String> get(String path, String token) {
        return send(HttpRequest.newBuilder(URI.create(address() + path))
                .header("authorization", "Bearer " + token)
                .build());
    }

    HttpResponse<String> post(String path, String json) {
        return send(HttpRequest.newBuilder(URI.create(address() + path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it said before it was ready. */
    List<String> saidSoFar() {
        return List.copyOf(said);
    }

    /** All that it said, once it has ended. */
    List<String> said() {
        while (nextLine() != null) {
            // Until its output ends.
        }
        return said;
    }

    int exitCode() {
        try {
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running; it said " + said);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Kills what still runs, and waits for its Postgres too, which ends by itself a moment later. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        exitCode();
        for (ProcessHandle child : children) {
            child.onExit().orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
        }
    }
}
