package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program with another user's rights cannot be inspected: then the terminal's settings show whether it asks for a password. */
class UninspectableProgramTest {
    private static final String ASKS = "stty -echo; read x; stty echo; exec sleep 1000";

    @Test
    void passwordPromptOfAnotherUsersProgramIsDetected() throws IOException {
        String said = looks(ASKS);
        assertTrue(said.endsWith("waits\ngoes on\n"), said);
    }

    /** The inspected program is another user's: as root, user nobody's, and the JVM drops the capability to inspect; otherwise root's. */
    private static String looks(String script) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        List<String> command = new ArrayList<>();
        if (root) {
            command.addAll(List.of("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                UninspectableProgram.class.getName()));
        command.addAll(
                root
                        ? List.of("setpriv", "--reuid=65534", "--clear-groups", "sh", "-c", script)
                        : List.of("su", "-c", script));
        Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
