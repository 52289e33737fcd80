package io.penstock.terminal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The emulator follows one version of xterm.js cell by cell. An upgrade of xterm.js requires to renew the golden screens, to compare them
 * with the new version, and to change the version here.
 */
final class XtermVersionTest {

    private static final String FOLLOWED = "6.0.0";

    @Test
    void webClientShipsTheVersionThatTheEmulatorFollows() throws IOException {
        String manifest = Files.readString(Path.of("../../web-client/package.json"));
        assertTrue(manifest.contains("\"@xterm/xterm\": \"" + FOLLOWED + "\""), manifest);
    }
}
