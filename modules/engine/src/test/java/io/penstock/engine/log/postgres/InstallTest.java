package io.penstock.engine.log.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of starts that are not possible, which damage nothing; and unpacking. */
@Tag("long")
class InstallTest {

    private final Path directory = TestDatabase.directory();

    @AfterEach
    void delete() {
        TestDatabase.delete(directory);
    }

    @Test
    void twoThatUnpackAtOnceShareOneCopy() throws Exception {
        Path abandoned = Files.createDirectories(directory.resolve("unpacking-1"));
        Files.setLastModifiedTime(abandoned, java.nio.file.attribute.FileTime.fromMillis(0));
        var other = CompletableFuture.supplyAsync(this::install);
        PostgresInstall mine = install();
        assertEquals(mine, other.get(20, TimeUnit.SECONDS));
        assertEquals(mine, install());
        assertTrue(Programs.run(java.util.List.of(mine.program("postgres").toString(), "--version"))
                .output()
                .startsWith("postgres (PostgreSQL) " + PostgresInstall.MAJOR));
        try (var entries = Files.list(directory)) {
            assertEquals(java.util.List.of(mine.home()), entries.toList());
        }
    }

    @Test
    void bothArchitecturesAreCarried() throws Exception {
        for (String architecture : new String[] {"amd64", "aarch64"}) {
            try (var in = PostgresInstall.archive("Linux", architecture).openStream()) {
                assertEquals(0xFD, in.read());
            }
        }
    }

    @Test
    void anotherSystemIsRefused() {
        assertSays(
                "runs on Linux on x86-64 and aarch64, and this is Mac OS X on aarch64",
                assertThrows(PostgresUnavailable.class, () -> PostgresInstall.archive("Mac OS X", "aarch64")));
        assertSays(
                "this is Linux on riscv64",
                assertThrows(PostgresUnavailable.class, () -> PostgresInstall.archive("Linux", "riscv64")));
    }

    @Test
    void missingProgramIsNamed() {
        assertSays(
                "The program 'no-such-program'",
                assertThrows(PostgresUnavailable.class, () -> Programs.find("no-such-program")));
    }

    @Test
    void aDirectoryOfAnotherMajorVersionIsRefused() throws Exception {
        Files.writeString(Files.createDirectories(directory.resolve("data")).resolve("PG_VERSION"), "17\n");
        assertSays("was made by Postgres 17 and this Penstock brings Postgres 18", refused(directory));
    }

    @Test
    void directoryWithoutAClusterIsRefused() throws Exception {
        Files.writeString(Files.createDirectories(directory.resolve("data")).resolve("diary"), "private");
        assertSays("is not a Postgres data directory", refused(directory));
        assertEquals("private", Files.readString(directory.resolve("data/diary")));
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertSays("exists and is not a directory", refused(file));
    }

    @Test
    void directoryClosedToNobodyIsNamedToRoot() throws Exception {
        assumeTrue(Account.forPostgres().reduced(), "only root runs Postgres as another account");
        Path closed = Files.createDirectory(
                directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertSays(closed + " is closed to it", refused(closed.resolve("data")));
    }

    @Test
    void theServersLogIsKeptBounded() throws Exception {
        Path file = directory.resolve("postgres.log");
        var log = new ServerLog(file, 100);
        Files.writeString(file, "x".repeat(101));
        log.keepBounded();
        assertEquals(0, Files.size(file));
        assertEquals(101, Files.size(directory.resolve("postgres.log.1")));
        Files.writeString(file, "LOG: hello\nFATAL: no\nHINT: yes\n");
        assertEquals("FATAL: no / HINT: yes", log.tail());
    }

    private PostgresInstall install() {
        try {
            return PostgresInstall.in(directory);
        } catch (PostgresUnavailable e) {
            throw new AssertionError(e);
        }
    }

    private static PostgresUnavailable refused(Path directory) {
        return assertThrows(PostgresUnavailable.class, () -> EmbeddedPostgres.start(TestDatabase.settings(directory)));
    }

    private static void assertSays(String expected, Exception failure) {
        assertTrue(String.valueOf(failure.getMessage()).contains(expected), failure.getMessage());
    }
}
