package io.penstock.bench.load;

import io.penstock.bench.peer.ChildProcesses;
import io.penstock.bench.peer.ProcessTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The server under load: a running one, or one started here in a folder that is deleted with it. */
public final class LoadedServer implements AutoCloseable {

    private static final String HOSTS = "Hosts of agent tasks connect to ";
    private static final String READY = "Penstock is ready at ";

    private static final int SAID_LINES = 30;

    private final URI address;
    private final @Nullable String token;
    private final @Nullable Process process;
    private final @Nullable Path folder;
    private final @Nullable URI hosts;

    private LoadedServer(
            URI address,
            @Nullable String token,
            @Nullable Process process,
            @Nullable Path folder,
            @Nullable URI hosts) {
        this.hosts = hosts;
        this.address = address;
        this.token = token;
        this.process = process;
        this.folder = folder;
    }

    static LoadedServer of(LoadOptions options) throws IOException {
        String url = options.url();
        if (url == null) {
            return start();
        }
        Path file = options.tokenFile();
        return new LoadedServer(
                URI.create(url), file == null ? null : Files.readString(file).trim(), null, null, null);
    }

    /**
     * Starts one in its own process and folder, as {@code ./penstock up} does.
     *
     * @param options additional options for its JVM
     */
    public static LoadedServer start(String... options) throws IOException {
        return start(List.of(options), List.of());
    }

    /** The same with a port for hosts of agent tasks. */
    public static LoadedServer startForHosts() throws IOException {
        return start(List.of(), List.of("--rpc-port", "0"));
    }

    private static LoadedServer start(List<String> jvmOptions, List<String> options) throws IOException {
        Path folder = Files.createTempDirectory("penstock-load-");
        // As root, Postgres runs under another account, which must be able to enter.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = folder.resolve("data");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseCompactObjectHeaders",
                "-cp",
                System.getProperty("java.class.path"),
                "io.penstock.server.Main",
                "up",
                "--port",
                "0",
                "--data",
                data.toString(),
                "--workspace",
                folder.toString()));
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        ChildProcesses.with(process);
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        URI hosts = null;
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(HOSTS)) {
                hosts = URI.create("tcp://" + line.substring(HOSTS.length(), line.length() - 1));
            }
            if (line.startsWith(READY)) {
                URI address = URI.create(line.substring(READY.length()));
                return new LoadedServer(
                        address, Files.readString(data.resolve("token")).trim(), process, folder, hosts);
            }
        }
        throw new IOException("the server did not start; its output is in " + folder.resolve("errors"));
    }

    public URI address() {
        return address;
    }

    /** Where hosts of agent tasks connect to; only if started for them. */
    public URI hosts() {
        return Objects.requireNonNull(hosts);
    }

    /** The last lines of its standard error; only if started here. */
    public List<String> said() throws IOException {
        Path all = folder;
        if (all == null) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(all.resolve("errors"));
        return lines.subList(Math.max(0, lines.size() - SAID_LINES), lines.size());
    }

    /** All lines of its standard error; only if started here. */
    public List<String> errors() throws IOException {
        return Files.readAllLines(Objects.requireNonNull(folder).resolve("errors"));
    }

    public @Nullable String token() {
        return token;
    }

    /** Only if started here. */
    public Path data() {
        return Objects.requireNonNull(folder).resolve("data");
    }

    Path tokenFile() {
        return data().resolve("token");
    }

    /** Processor time of the server's process; 0 if it was not started here. */
    public long cpuNanos() {
        Process own = process;
        if (own == null) {
            return 0;
        }
        return ProcessTime.of(own.toHandle());
    }

    /** Only if started here. */
    public long pid() {
        return Objects.requireNonNull(process).pid();
    }

    @Override
    public void close() throws IOException {
        Process own = process;
        Path left = folder;
        if (own == null || left == null) {
            return;
        }
        own.destroy();
        try {
            if (!own.waitFor(60, TimeUnit.SECONDS)) {
                own.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(left)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
