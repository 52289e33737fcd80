package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that waits for an answer when the server goes: it ends, and its end records that nothing of it has run. */
@Tag("server")
class QuestionRestartTest {

    private final Path folder = ServerProcess.folder();
    private final Path data = folder.resolve("data");

    @BeforeEach
    void rules() throws IOException {
        Files.writeString(
                folder.resolve("rules.yaml"),
                "rules:\n  - {name: careful, when: 'true', verdict: ask, question: 'May it run?'}\n");
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(folder);
    }

    private ServerProcess server() {
        return ServerProcess.ready(
                data,
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                folder.toString(),
                "--policy",
                folder.resolve("rules.yaml").toString());
    }

    /** The status after the server was replaced by another. */
    private JsonObject after(String signal) {
        String task;
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash("touch ran"));
            client.until(task, frame -> "awaiting_input".equals(frame.getString("phase")));
            server.signal(signal);
            server.exitCode();
        }
        try (ServerProcess server = server();
                var client = new TaskClient(server)) {
            JsonObject status = client.ended(task);
            assertEquals(
                    409,
                    client.post("/tasks/" + task + "/answer", new JsonObject("{\"allow\":true,\"reason\":\"late\"}"))
                            .statusCode());
            assertTrue(Files.notExists(folder.resolve("ran")));
            return status;
        }
    }

    @Test
    void oneThatADeadServerLeftIsNotLostForNothingOfItHasRun() {
        JsonObject status = after("KILL");
        assertEquals("failed", status.getString("outcome"), status::encode);
        assertEquals(
                "never started: the server died before anybody had answered \"May it run?\"; spawn it again to be asked again",
                status.getString("error"));
    }

    @Test
    void oneThatAStopOfTheServerEndsSaysSo() {
        JsonObject status = after("TERM");
        assertEquals("cancelled", status.getString("outcome"), status::encode);
        assertEquals(
                "never started: it was stopped (the server shuts down) before its program was",
                status.getString("error"));
    }
}
