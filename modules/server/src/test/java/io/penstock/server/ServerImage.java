package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The server under test as jars, which {@code ./penstock up} runs too, and an archive of its classes, which a JVM maps at its start instead
 * of loading them one by one: a start takes a third less. With them an empty database, which saves a start another third. Made once by
 * each JVM that runs tests.
 */
final class ServerImage {

    /** As XDG_CACHE_HOME: the programs of Postgres are unpacked there once for all tests. In /tmp, which the account 'nobody' reaches. */
    static final Path PROGRAMS = Path.of("/tmp/penstock-test-cache");

    private static final Path FOLDER = ServerProcess.folder();
    private static final String CLASS_PATH = packed(System.getProperty("java.class.path"));
    private static final Path ARCHIVE = archive();
    private static final Path CLUSTER = cluster();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ServerProcess.delete(FOLDER)));
    }

    private ServerImage() {}

    /** The beginning of a command line of {@code penstock}. */
    static List<String> command() {
        return command("-XX:SharedArchiveFile=" + ARCHIVE);
    }

    private static List<String> command(String archive) {
        return List.of(
                // Who runs the tests in the background, or with nohup, has its children ignore Ctrl-C, or hang-ups;
                // this one
                // must not.
                "env",
                "--default-signal=INT,HUP",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:-MaxFDLimit",
                "-XX:+DisableAttachMechanism",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                archive,
                "-Xlog:cds=off", // it says that it knows nothing of native access, with which the archive serves all
                // the same
                "-cp",
                CLASS_PATH,
                Main.class.getName());
    }

    /** Puts an empty database into a new data directory, where a first start of the server would make one by initdb. */
    static void giveDatabase(Path data) {
        Path postgres = data.resolve("postgres");
        if (Files.notExists(postgres)) {
            try {
                Files.createDirectory(postgres);
                Process copy = new ProcessBuilder("cp", "-a", CLUSTER.toString(), postgres.toString())
                        .inheritIO()
                        .start();
                assertEquals(0, copy.waitFor());
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Path cluster() {
        try {
            var settings = EmbeddedPostgres.Settings.of(FOLDER.resolve("postgres"), PROGRAMS.resolve("penstock"));
            EmbeddedPostgres.start(settings).stop();
            return settings.directory().resolve("data");
        } catch (PostgresUnavailable e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** With a jar in the place of each folder, since a JVM archives no classes of folders; the tests' own are left out. */
    private static String packed(String classPath) {
        var entries = new ArrayList<String>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (!Files.isDirectory(path)) {
                entries.add(entry);
            } else if (!path.endsWith("test-classes")) {
                entries.add(pack(path, FOLDER.resolve("classes-" + entries.size() + ".jar")));
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static String pack(Path classes, Path jar) {
        try (var packed = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            packed.setLevel(0);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                packed.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, packed);
            }
            return jar.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of what a server loads until it is ready and has answered once. */
    private static Path archive() {
        Path archive = FOLDER.resolve("classes.jsa");
        Path data = ServerProcess.folder();
        var command = new ArrayList<>(command("-XX:ArchiveClassesAtExit=" + archive));
        command.addAll(List.of("up", "--data", data.toString(), "--port", "0", "--auth", "off"));
        try (ServerProcess server = ServerProcess.begin(command)) {
            server.awaitReady();
            server.get("/tasks");
            server.signal("TERM");
            server.exitCode();
        }
        ServerProcess.delete(data);
        return archive;
    }
}
