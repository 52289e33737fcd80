package io.penstock.engine.log.postgres;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class EmbeddedPostgresTest {

    private final Vertx vertx = Vertx.vertx();
    private final Path directory = TestDatabase.directoryWithData();

    @AfterEach
    void close() {
        await(vertx.close());
        TestDatabase.delete(directory);
    }

    @Test
    void committedRowsSurviveAStopAndAKill() throws Exception {
        EmbeddedPostgres postgres = start();
        insert(postgres, 1);
        postgres.stop();
        assertTrue(ProcessHandle.of(postgres.pid()).isEmpty());
        postgres = postgres.startAgain();
        insert(postgres, 2);
        kill(postgres.pid());
        assertEquals(137, postgres.exited().toCompletableFuture().get(10, TimeUnit.SECONDS));
        try (EmbeddedPostgres again = postgres.startAgain()) {
            insert(again, 3);
            assertEquals(List.of(1, 2, 3), numbers(again));
        }
    }

    @Test
    void clusterThatTrustedEveryoneRequiresThePassword() throws Exception {
        // As created by older versions.
        Files.writeString(data().resolve("pg_hba.conf"), "local all all trust\n");
        EmbeddedPostgres postgres = start();
        try (postgres) {
            insert(postgres, 1);
            for (PgConnectOptions stranger : List.of(
                    postgres.connectOptions().setPassword(""),
                    postgres.connectOptions().setPassword("penstock"),
                    postgres.connectOptions().setDatabase("postgres").setPassword("x"))) {
                Throwable refused = TestDatabase.failure(PgConnection.connect(vertx, stranger));
                assertTrue(String.valueOf(refused.getMessage()).contains("password"), refused::toString);
            }
            assertFalse(isInAFile(postgres.connectOptions().getPassword()));
            assertFalse(isInAFile("trust"));
            String command =
                    ProcessHandle.of(postgres.pid()).orElseThrow().info().toString();
            assertFalse(command.contains(postgres.connectOptions().getPassword()), command);
        }
        PgConnectOptions before = postgres.connectOptions();
        try (EmbeddedPostgres next = start()) {
            assertNotEquals(before.getPassword(), next.connectOptions().getPassword());
            TestDatabase.failure(PgConnection.connect(vertx, before));
            assertEquals(List.of(1), numbers(next));
        }
    }

    /** In an access rule, or in any other file. */
    private boolean isInAFile(String words) throws IOException {
        var found = new AtomicBoolean();
        // A temporary file of Postgres, which runs, may be gone before it is read.
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && (!words.equals("trust") || file.endsWith("pg_hba.conf"))) {
                    try {
                        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                        found.compareAndSet(false, content.contains(words));
                    } catch (NoSuchFileException e) {
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return e instanceof NoSuchFileException ? FileVisitResult.CONTINUE : super.visitFileFailed(file, e);
            }
        });
        return found.get();
    }

    @Test
    void clientInAQueryDoesNotDelayTheNextStart() throws Exception {
        EmbeddedPostgres postgres = start();
        PgConnection busy = await(PgConnection.connect(vertx, postgres.connectOptions()));
        var sleeping = busy.query("SELECT pg_sleep(60)").execute();
        kill(postgres.pid());
        postgres.startAgain().stop();
        assertTrue(TestDatabase.failure(sleeping) != null);
    }

    @Test
    void endsWithItsProcessHoweverThatEnds() throws Exception {
        var child = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        PostgresHolder.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = child.inputReader()) {
            ProcessHandle held =
                    ProcessHandle.of(Long.parseLong(out.readLine())).orElseThrow();
            assertTrue(held.isAlive());
            var refused = assertThrows(PostgresUnavailable.class, this::start);
            assertTrue(said(refused).contains("is in use by another Penstock"), said(refused));
            child.destroyForcibly().waitFor();
            long begin = System.nanoTime();
            while (!StaleServer.on(data()).isEmpty()) {
                assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(20), "Postgres lives on");
                Thread.onSpinWait();
            }
            try (EmbeddedPostgres next = start()) {
                assertNotEquals(held.pid(), next.pid());
                assertEquals(List.of(next.pid()), postmasters());
            }
        }
    }

    @Test
    void orphanedPostgresIsStoppedAndReplaced() throws Exception {
        Account account = Account.forPostgres();
        Path socket = SocketDirectory.near(directory, account, null);
        AccessRules.write(directory, data(), account);
        // Like ours, but not bound to a parent's death.
        var command = account.command(
                PostgresInstall.in(TestDatabase.install()).program("postgres"),
                Configuration.arguments(directory, data(), socket, 16));
        command.remove("--pdeathsig=INT");
        Process orphan = Programs.builder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (!PostmasterPid.read(data()).map(PostmasterPid::isReady).orElse(false)) {
            assertTrue(orphan.isAlive());
            Thread.onSpinWait();
        }
        try (EmbeddedPostgres next = start()) {
            assertFalse(orphan.isAlive());
            assertTrue(ProcessHandle.of(next.pid()).isPresent());
        }
    }

    @Test
    void unrelatedProcessInThePidFileIsIgnoredAndSurvives() throws Exception {
        Path impostor = directory.resolve("postgres");
        Files.copy(Path.of("/bin/sleep"), impostor, StandardCopyOption.REPLACE_EXISTING);
        // Of the same name, but on other data.
        Process stranger = new ProcessBuilder(impostor.toString(), "60").start();
        try {
            for (long pid : new long[] {
                stranger.pid(), 1, 4_194_304, ProcessHandle.current().pid()
            }) {
                Files.writeString(PostmasterPid.file(data()), pid + "\n" + data() + "\n1\n5432\n/tmp\n\n1 2\nready\n");
                start().stop();
            }
            Files.writeString(PostmasterPid.file(data()), "");
            start().stop();
            assertTrue(stranger.isAlive());
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void zombieInThePidFileIsIgnored() throws Exception {
        // The shell becomes a program that never reaps the shell's child, which ends when it sees that.
        Process parent = new ProcessBuilder(
                        "/bin/sh", "-c", "(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 60")
                .start();
        try (BufferedReader out = parent.inputReader()) {
            long zombie = Long.parseLong(out.readLine());
            while (!Files.readString(Path.of("/proc/" + zombie + "/stat")).contains(") Z ")) {
                Thread.onSpinWait();
            }
            Files.writeString(PostmasterPid.file(data()), zombie + "\n");
            start().stop();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void aLongPathGetsAShortSocket() throws Exception {
        Path deep = directory.resolve("a-directory-of-a-long-name".repeat(4)).resolve("and-one-more");
        Files.move(data(), Files.createDirectories(deep).resolve("data"));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(TestDatabase.settings(deep))) {
            insert(postgres, 1);
            Path socket = Path.of(postgres.connectOptions().getHost());
            assertFalse(socket.startsWith(deep));
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
            assertEquals(
                    Account.forPostgres().uid(), Files.getAttribute(socket, "unix:uid", LinkOption.NOFOLLOW_LINKS));
            Path link = socket;
            postgres.stop();
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, directory);
            var refused = assertThrows(PostgresUnavailable.class, postgres::startAgain);
            assertTrue(said(refused).contains("which belongs to another account"), said(refused));
            Files.delete(link);
        }
    }

    @Test
    void settingRefusedByPostgresIsReportedInItsWords() throws Exception {
        Files.writeString(data().resolve("postgresql.auto.conf"), "work_mem = nonsense\n");
        var refused = assertThrows(PostgresUnavailable.class, this::start);
        assertTrue(said(refused).contains("FATAL"), said(refused));
        Files.writeString(data().resolve("postgresql.auto.conf"), "");
        Files.write(data().resolve("global/pg_control"), new byte[100]);
        refused = assertThrows(PostgresUnavailable.class, this::start);
        assertTrue(said(refused).contains("pg_control"), said(refused));
    }

    private EmbeddedPostgres start() throws PostgresUnavailable {
        return EmbeddedPostgres.start(TestDatabase.settings(directory));
    }

    private Path data() {
        return directory.resolve("data");
    }

    private List<Long> postmasters() throws Exception {
        return StaleServer.on(data()).stream()
                .filter(process -> process.parent().map(ProcessHandle::pid).orElse(0L)
                        == ProcessHandle.current().pid())
                .map(ProcessHandle::pid)
                .toList();
    }

    private static void kill(long pid) {
        assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly());
    }

    private static String said(Exception e) {
        return String.valueOf(e.getMessage());
    }

    private void insert(EmbeddedPostgres postgres, int number) {
        PgConnection connection = await(PgConnection.connect(vertx, postgres.connectOptions()));
        await(connection
                .query("CREATE TABLE IF NOT EXISTS number (n int); INSERT INTO number VALUES (" + number + ")")
                .execute());
        await(connection.close());
    }

    private List<Integer> numbers(EmbeddedPostgres postgres) {
        PgConnection connection = await(PgConnection.connect(vertx, postgres.connectOptions()));
        var rows = await(connection.query("SELECT n FROM number ORDER BY n").execute());
        await(connection.close());
        return rows.stream().map(row -> row.getInteger(0)).toList();
    }
}
