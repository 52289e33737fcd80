package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server one of whose event loops has died ends, instead of serving some callers and not others. */
@Tag("server")
class DeadLoopTest {

    private final Path folder = ServerProcess.folder();

    @AfterEach
    void deleteFolder() {
        ServerProcess.delete(folder);
    }

    @Test
    void serverEndsWithCode70AndTheNextHasAllThatWasAccepted() throws Exception {
        Path data = folder.resolve("data");
        Path agent = folder.resolve("agent.jar");
        Path gate = folder.resolve("gate");
        LoopKiller.pack(agent);
        assertEquals(0, new ProcessBuilder("mkfifo", gate.toString()).start().waitFor());
        String task;
        try (ServerProcess server = ServerProcess.readyWithJvmOptions(
                        "-javaagent:" + agent + "=" + gate, data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash("echo accepted; exec sleep 600"));
            client.untilShown(task, "accepted");
            Files.writeString(gate, "now");
            assertEquals(70, server.exitCode());
            assertTrue(
                    server.said().stream().anyMatch(line -> line.contains("exits with code 70")),
                    () -> server.said().toString());
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            JsonObject ended = client.ended(task);
            assertEquals("lost", ended.getString("outcome"), ended::encode);
            assertEquals(
                    "accepted\n",
                    client.get("/tasks/" + task + "/output/stdout").body());
        }
    }
}
