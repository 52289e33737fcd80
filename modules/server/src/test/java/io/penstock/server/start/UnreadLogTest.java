package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("server")
final class UnreadLogTest {

    /** Each logs a few KiB; a pipe holds 64. */
    private static final int REQUESTS = 100;

    @Test
    @Timeout(120)
    void aServerWhoseLogNobodyReadsAnswersAsEver() {
        Path data = ServerProcess.folder();
        try (ServerProcess server = ServerProcess.readyWithAnUnreadLog(data, "--port", "0", "--auth", "off")) {
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals(400, server.post("/tasks", "{").statusCode());
            }
            assertEquals(200, server.get("/healthz").statusCode());
            server.signal("TERM");
            assertEquals(143, server.exitCode());
        } finally {
            ServerProcess.delete(data);
        }
    }
}
