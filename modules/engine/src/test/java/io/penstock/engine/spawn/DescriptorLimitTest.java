package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The server's own limit of descriptors is not that of its programs. */
class DescriptorLimitTest {

    @Test
    void programsGetTheLimitThatTheServerWasStartedWith() throws Exception {
        Process jvm = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -Sn 777 && ulimit -Hn 18000 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-MaxFDLimit",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpawnUnderARaisedLimit.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String limits = "limits 777 18000 end";
        assertEquals(
                List.of("server 16384", limits, limits, limits, limits),
                said.lines().toList());
    }
}
