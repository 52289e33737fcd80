package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class UnreadLogTest {

    /** Each of some KiB of log; a pipe holds 64. */
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
