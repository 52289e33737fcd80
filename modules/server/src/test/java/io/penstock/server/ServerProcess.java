package io.penstock.server;

import io.penstock.testbed.TestBed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code penstock up} in its own process, run from the classes under test (see {@link ServerImage}). */
public final class ServerProcess implements AutoCloseable {

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

    /** Read continuously: a server whose output is not read blocks at the line that no longer fits. */
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

    /** Starts it on an existing database and waits until it is ready. */
    public static ServerProcess ready(Path data, String... options) {
        if (Files.isDirectory(data)) {
            ServerImage.giveDatabase(data);
        }
        return firstReady(data, options);
    }

    /** The same without a database: the work of a first start. */
    static ServerProcess firstReady(Path data, String... options) {
        ServerProcess server = begin(data, options);
        server.awaitReady();
        return server;
    }

    /** With this limit of descriptors. */
    public static ServerProcess readyWithDescriptors(int limit, Path data, String... options) {
        return readyWithDescriptors("ulimit -n " + limit, data, options);
    }

    /** @param ulimit a command of the shell that sets the limits */
    public static ServerProcess readyWithDescriptors(String ulimit, Path data, String... options) {
        var command = new ArrayList<>(List.of("bash", "-c", ulimit + "; exec \"$@\"", "bash"));
        command.addAll(command(data, options));
        ServerProcess server = begin(command);
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

    /** Reads its output up to a line with these words. */
    public void until(String words) {
        String line = said.getLast();
        while (line != null && said.stream().noneMatch(each -> each.contains(words))) {
            line = nextLine();
        }
        if (line == null) {
            throw new AssertionError("never said \"" + words + "\": " + said);
        }
    }

    public static ServerProcess begin(Path data, String... options) {
        return begin(command(data, options));
    }

    /** Started in this folder, which is its working directory. */
    public static ServerProcess readyIn(Path folder, Path data, String... options) {
        ServerProcess server = begin(new ProcessBuilder(command(data, options))
                .redirectErrorStream(true)
                .directory(folder.toFile()));
        server.awaitReady();
        return server;
    }

    /** As by a person, with a terminal as its output. */
    static ServerProcess beginOnATerminal(Path data, String... options) {
        return begin(List.of("script", "-qefc", String.join(" ", command(data, options)), "/dev/null"));
    }

    /** Without the frames about usage, which depend on how long a task happens to run, unless the options ask for them. */
    private static List<String> command(Path data, String... options) {
        var command = new ArrayList<>(ServerImage.command());
        command.addAll(List.of("up", "--data", data.toString()));
        if (!List.of(options).contains("--task-usage")) {
            command.addAll(List.of("--task-usage", "off"));
        }
        command.addAll(List.of(options));
        return command;
    }

    /**
     * With its own environment, as an ordinary user: if the tests run as root, as the account 'nobody', which may read
     * the class path wherever that is.
     */
    public static ServerProcess readyAsAnOrdinaryUser(Path data, Map<String, String> environment, String... options) {
        boolean root = "root".equals(System.getProperty("user.name"));
        var command = new ArrayList<String>();
        if (root) {
            command.addAll(List.of(
                    "setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--clear-groups",
                    "--inh-caps=-all,+dac_read_search",
                    "--ambient-caps=-all,+dac_read_search",
                    "--bounding-set=-all,+dac_read_search"));
        }
        command.addAll(command(data, options));
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        ServerProcess server = begin(builder.redirectErrorStream(true));
        server.awaitReady();
        return server;
    }

    /** With further options of its JVM. */
    public static ServerProcess readyWithJvmOptions(String jvmOptions, Path data, String... options) {
        if (Files.isDirectory(data)) {
            ServerImage.giveDatabase(data);
        }
        var builder = new ProcessBuilder(command(data, options)).redirectErrorStream(true);
        builder.environment().put("JAVA_TOOL_OPTIONS", jvmOptions);
        ServerProcess server = begin(builder);
        server.awaitReady();
        return server;
    }

    /** Logs much, without a reader. */
    public static ServerProcess readyWithAnUnreadLog(Path data, String... options) {
        var builder = new ProcessBuilder(command(data, options));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dorg.slf4j.simpleLogger.log.io.vertx=trace");
        ServerProcess server = begin(builder);
        server.awaitReady();
        return server;
    }

    static ServerProcess begin(List<String> command) {
        return begin(new ProcessBuilder(command).redirectErrorStream(true));
    }

    private static ServerProcess begin(ProcessBuilder builder) {
        builder.environment().putIfAbsent("XDG_CACHE_HOME", ServerImage.PROGRAMS.toString());
        try {
            return new ServerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A test's own folder that the account 'nobody' can reach, under which Postgres runs if the tests run as root. */
    public static Path folder() {
        return TestBed.newFolder();
    }

    public static void delete(Path folder) {
        TestBed.delete(folder);
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

    public String address() {
        return String.valueOf(address);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Posts JSON with the token of its data directory. */
    public HttpResponse<String> post(Path data, String path, String json, String idempotencyKey) {
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

    /** Answers yes to a policy question about a task that does not exist. */
    HttpResponse<String> answer(String token) {
        return send(HttpRequest.newBuilder(URI.create(address() + "/tasks/none/answer"))
                .header("authorization", "Bearer " + token)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"allow\": true, \"reason\": \"it is well\"}"))
                .build());
    }

    public HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(URI.create(address() + path)).build());
    }

    public HttpResponse<String> get(String path, String token) {
        return send(HttpRequest.newBuilder(URI.create(address() + path))
                .header("authorization", "Bearer " + token)
                .build());
    }

    public HttpResponse<String> post(String path, String json) {
        return send(HttpRequest.newBuilder(URI.create(address() + path))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    /** A request without a body. */
    public HttpResponse<String> send(String method, String path) {
        return send(HttpRequest.newBuilder(URI.create(address() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
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

    public void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its output before it was ready. */
    public List<String> saidSoFar() {
        return List.copyOf(said);
    }

    /** Its complete output, once it has ended. */
    public List<String> said() {
        while (nextLine() != null) {
            // Until its output ends.
        }
        return said;
    }

    public int exitCode() {
        try {
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("still running; it said " + said);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Kills the server if it still runs, and waits for its Postgres, which ends by itself a moment later. */
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
