package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.postgres.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --database} and the sources of its password. */
class DatabaseOptionTest {

    private static final String URL = "postgresql://me@db.example:5432/ledger";

    @TempDir
    Path folder;

    private static @Nullable String password(String url, @Nullable Path file, Map<String, String> environment) {
        DatabaseAddress address = DatabaseOption.address(url, file, environment);
        return address == null ? null : address.password();
    }

    private static String refusal(@Nullable String url, Path file) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> DatabaseOption.address(url, file, Map.of()))
                        .getMessage());
    }

    @Test
    void passwordIsTheFirstLineOfAFileOrInTheEnvironment() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "from a file: %4@/ \r\nmore\n");
        Map<String, String> environment = Map.of("PGPASSWORD", "from the environment");
        assertEquals("from a file: %4@/ ", password(URL, file, environment));
        assertEquals("from the environment", password(URL, null, environment));
        assertNull(password(URL, null, Map.of()));
        assertFalse(
                String.valueOf(DatabaseOption.address(URL, file, environment)).contains("from a file"));
    }

    @Test
    void passwordInTheUrlWorksAndIsKnown() {
        assertEquals("x", password("postgresql://me:x@db.example/ledger", null, Map.of("PGPASSWORD", "y")));
        assertTrue(DatabaseOption.hasPassword("postgresql://me:x@db.example/ledger"));
        assertTrue(DatabaseOption.hasPassword("postgresql://db.example/ledger?password=x"));
        assertFalse(DatabaseOption.hasPassword("postgresql://db.example/ledger"));
        assertFalse(DatabaseOption.hasPassword(null));
    }

    @Test
    void whatContradictsItselfIsRefusedInASentence() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "x\n");
        assertTrue(refusal("postgresql://me:x@db.example/ledger", file).contains("remove it from the URL"));
        assertTrue(refusal(null, file).contains("name it with --database"));
        assertTrue(refusal(URL, folder.resolve("none")).contains("cannot be read"));
        assertTrue(
                refusal(URL, Files.writeString(folder.resolve("empty"), "\nx")).contains("is empty"));
    }
}
