package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.checks.Checkout;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The server under test as jars, which {@code ./penstock up} runs too, and an archive of its classes, which a JVM maps at its start instead
 * of loading them one by one: a start takes a third less. With them an empty database, which saves a start another third. The first JVM
 * that runs tests makes it, for all of them and for later runs, until a class changes.
 */
final class ServerImage {

    /** As XDG_CACHE_HOME: the programs of Postgres are unpacked there once for all tests. In /tmp, which the account 'nobody' reaches. */
    static final Path PROGRAMS = Path.of("/tmp/penstock-test-cache");

    private static final Path FOLDER = Checkout.ROOT.resolve("modules/server/target/server-image");
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final Path CLUSTER = FOLDER.resolve("data");

    /** The jars by the folders that they are made of; the tests' own classes are left out. */
    private static final Map<Path, Path> JARS = new LinkedHashMap<>();

    private static final String CLASS_PATH = classPath();

    static {
        makeIfChanged();
    }

    private ServerImage() {}

    /** The beginning of a command line of {@code penstock}. */
    static List<String> command() {
        return command("-XX:SharedArchiveFile=" + ARCHIVE);
    }

    private static List<String> command(String archive) {
        return List.of(
                // Tests that run in the background, or with nohup, have their children ignore Ctrl-C, or hang-ups;
                // this one must not.
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
                copy(CLUSTER, Files.createDirectory(postgres).resolve("data"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The class path of a server, without the libraries of the tests, each of which would take a descriptor. A JVM archives no classes of
     * folders, so a jar replaces each.
     */
    private static String classPath() {
        Set<String> libraries = libraries();
        var entries = new ArrayList<String>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path) && isModule(path)) {
                Path jar = FOLDER.resolve("classes-" + JARS.size() + ".jar");
                JARS.put(path, jar);
                entries.add(jar.toString());
            } else if (libraries.contains(entry) || isModule(path)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Whether it has the classes of a module of the server: a folder, or a jar once Maven has packed it. */
    private static boolean isModule(Path entry) {
        return entry.startsWith(Checkout.ROOT)
                && !entry.startsWith(Checkout.ROOT.resolve("testbed"))
                && !entry.endsWith("test-classes");
    }

    /** Those that the launcher gives to a server. */
    private static Set<String> libraries() {
        try {
            return Set.of(Files.readString(Checkout.ROOT.resolve("modules/server/target/classpath"))
                    .strip()
                    .split(File.pathSeparator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeIfChanged() {
        Path madeFrom = FOLDER.resolve("made-from");
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel file = FileChannel.open(
                            FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                String sources = sources();
                if (Files.notExists(madeFrom) || !Files.readString(madeFrom).equals(sources)) {
                    Files.deleteIfExists(madeFrom);
                    for (Map.Entry<Path, Path> each : JARS.entrySet()) {
                        pack(each.getKey(), each.getValue());
                    }
                    makeArchive();
                    makeCluster();
                    Files.writeString(madeFrom, sources);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A line for the JVM and for each library and class, which changes when it does. */
    private static String sources() throws IOException {
        var lines = new StringBuilder(System.getProperty("java.vm.version")).append('\n');
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!Path.of(entry).endsWith("test-classes") && Files.exists(Path.of(entry))) {
                try (Stream<Path> files = Files.walk(Path.of(entry))) {
                    for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                        lines.append(file)
                                .append(' ')
                                .append(Files.size(file))
                                .append(' ')
                                .append(Files.getLastModifiedTime(file))
                                .append('\n');
                    }
                }
            }
        }
        return lines.toString();
    }

    private static void makeCluster() throws IOException {
        Path folder = ServerProcess.folder();
        try {
            var settings = EmbeddedPostgres.Settings.of(folder.resolve("postgres"), PROGRAMS.resolve("penstock"));
            EmbeddedPostgres.start(settings).stop();
            if (Files.exists(CLUSTER)) {
                ServerProcess.delete(CLUSTER);
            }
            copy(settings.directory().resolve("data"), CLUSTER);
        } catch (PostgresUnavailable e) {
            throw new AssertionError(e.getMessage(), e);
        } finally {
            ServerProcess.delete(folder);
        }
    }

    /** With owners and rights, which Postgres checks. */
    private static void copy(Path from, Path to) throws IOException {
        try {
            Process copy = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                    .inheritIO()
                    .start();
            assertEquals(0, copy.waitFor());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (var packed = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            packed.setLevel(0);
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                packed.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, packed);
            }
        }
    }

    /** The classes that a server loads until it is ready and has answered once. */
    private static void makeArchive() {
        Path data = ServerProcess.folder();
        var command = new ArrayList<>(command("-XX:ArchiveClassesAtExit=" + ARCHIVE));
        command.addAll(List.of("up", "--data", data.toString(), "--port", "0", "--auth", "off"));
        try (ServerProcess server = ServerProcess.begin(command)) {
            server.awaitReady();
            server.get("/tasks");
            server.signal("TERM");
            server.exitCode();
        } finally {
            ServerProcess.delete(data);
        }
    }
}
