package io.penstock.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer token, of which only a hash is stored. */
class AnswerTokenTest {

    @TempDir
    Path data;

    private AnswerToken kept() throws IOException {
        return AnswerToken.keptIn(data).orElseThrow();
    }

    @Test
    void onlyItsHashIsInAFileOfItsOwner() throws IOException {
        assertTrue(AnswerToken.keptIn(data).isEmpty());
        String token = AnswerToken.renew(data);
        assertTrue(kept().matches(token));
        assertFalse(kept().matches(token + "x"));
        try (Stream<Path> files = Files.list(data)) {
            Path file = files.toList().getFirst();
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            String hash = Files.readString(file).strip();
            assertFalse(hash.contains(token));
            assertFalse(kept().matches(hash));
        }
    }

    @Test
    void aNewOneEndsTheOneBefore() throws IOException {
        String first = AnswerToken.renew(data);
        String second = AnswerToken.renew(data);
        assertFalse(kept().matches(first));
        assertTrue(kept().matches(second));
    }

    @Test
    void readableOneOfAnOlderVersionBecomesAHashAndGoesOnWorking() throws IOException {
        Path readable = data.resolve("answer-token");
        AccessToken.keptIn(readable);
        String token = Files.readString(readable).strip();
        assertTrue(kept().matches(token));
        assertFalse(Files.exists(readable));
        assertTrue(kept().matches(token));
        // A file that appears later is not used in its place.
        Files.writeString(readable, "planted".repeat(10));
        assertTrue(kept().matches(token));
        assertFalse(Files.exists(readable));
    }

    @Test
    void fileThatOthersCanReadOrThatIsNoHashIsRefused() throws IOException {
        AnswerToken.renew(data);
        Path file = data.resolve("answer-token.sha256");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        TokenUnusable refused = assertThrows(TokenUnusable.class, () -> AnswerToken.keptIn(data));
        assertTrue(String.valueOf(refused.getMessage()).contains("can be read by others (rw-r-----)"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "no hash");
        refused = assertThrows(TokenUnusable.class, () -> AnswerToken.keptIn(data));
        assertTrue(String.valueOf(refused.getMessage()).contains("has no hash of an answer token"));
    }
}
