package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.checks.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The lines of a host and of the server agree with {@code conformance/taskd} byte for byte, except for times. Renewed by
 * {@code ./penstock conformance --renew}, which keeps the lines of the host and the number of the server's lines.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
public class TaskdTranscriptTest {

    private static final Path ROOT = Checkout.ROOT.resolve("conformance/taskd/v1");

    private RpcServer server;

    @BeforeAll
    void start() {
        server = new RpcServer("--auth", "off");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void everyLineIsAsTheTranscriptsSay() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(ROOT)) {
            files = all.sorted().toList();
        }
        for (Path file : files) {
            play(file);
        }
    }

    private void play(Path file) throws IOException {
        var seen = new StringBuilder();
        try (var host = new Host(server.address())) {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("> ")) {
                    host.send(line.substring(2));
                    seen.append(line).append('\n');
                } else {
                    seen.append("< ").append(usual(host.nextLine())).append('\n');
                }
            }
        }
        if (Boolean.getBoolean("penstock.conformance.renew")) {
            Files.writeString(file, seen);
        }
        assertEquals(Files.readString(file), seen.toString(), file.getFileName().toString());
    }

    private static String usual(@Nullable String line) {
        return String.valueOf(line)
                .replaceAll(
                        "\"timestamp\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\"",
                        "\"timestamp\":\"2026-02-05T23:00:00.000Z\"")
                .replaceAll("first used at \\S+", "first used at 2026-02-05T23:00:00.000Z");
    }
}
