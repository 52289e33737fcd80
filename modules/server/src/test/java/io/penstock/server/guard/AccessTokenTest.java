package io.penstock.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of the access token, and servers that require none. */
class AccessTokenTest {

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("token");
    }

    @Test
    void itIsRandomKeptAndItsOwnersOnly() throws IOException {
        AccessToken token = AccessToken.keptIn(file);
        String text = Files.readString(file).strip();
        assertEquals(32, Base64.getUrlDecoder().decode(text).length);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertTrue(token.matches(text));
        assertFalse(token.matches(text + "x"));
        assertFalse(token.matches(""));
        assertTrue(AccessToken.keptIn(file).matches(text));
        assertFalse(token.toString().contains(text));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
        Path other = folder.resolve("other");
        assertFalse(AccessToken.keptIn(other).matches(text));
    }

    @Test
    void whatADyingServerLeftOfItIsNoToken() throws IOException {
        Files.writeString(folder.resolve("token.new"), "half");
        AccessToken.keptIn(file);
        assertEquals(43, Files.readString(file).strip().length());
    }

    @Test
    void oneThatOthersCanReadIsRefused() throws IOException {
        AccessToken.keptIn(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        TokenUnusable refused = assertThrows(TokenUnusable.class, () -> AccessToken.keptIn(file));
        assertTrue(String.valueOf(refused.getMessage()).contains("can be read by others (rw-r-----)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "two words that are together long enough for it"})
    void whatIsNoTokenIsRefusedAndNotShown(String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        TokenUnusable refused = assertThrows(TokenUnusable.class, () -> AccessToken.keptIn(file));
        assertTrue(String.valueOf(refused.getMessage()).contains("has no usable access token"));
        assertTrue(text.isEmpty() || !String.valueOf(refused.getMessage()).contains(text));
    }

    @Test
    void onlyWhoIsAloneOnTheirMachineGoesWithout() {
        for (String host : new String[] {"127.0.0.1", "localhost", "::1", "127.0.0.2"}) {
            Guard.withoutToken(host);
        }
        for (String host : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
            var refused = assertThrows(IllegalArgumentException.class, () -> Guard.withoutToken(host));
            assertTrue(String.valueOf(refused.getMessage()).contains("needs a loopback address"));
        }
    }
}
