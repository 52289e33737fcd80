package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.testbed.RealAgents;
import io.penstock.testbed.RealAgents.RealAgent;
import io.penstock.testbed.StubModel;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agent programs that nobody here wrote, in the middle of a turn when the server is killed. */
@Tag("long")
@Tag("server")
class RealAgentRestartTest {

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();
    private final Path home = ServerProcess.folder();
    private final StubModel model = new StubModel();

    @AfterEach
    void delete() {
        model.close();
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
        ServerProcess.delete(home);
    }

    @Test
    void codexWorksOnAfterAKillAndIsResumed() throws IOException {
        worksOnAndIsResumed("acp", RealAgents.codex(home, model, false));
    }

    @Test
    void piWorksOnAfterAKillAndIsResumed() throws IOException {
        worksOnAndIsResumed("pi", RealAgents.pi(home, model));
    }

    private void worksOnAndIsResumed(String protocol, RealAgent program) throws IOException {
        configure(protocol, program);
        String id;
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            id = call(client, "background_task", Map.of("description", "real", "prompt", "SAY(my name is Ada)"))
                    .getString("task_id");
            // codex begins with a warning about its model.
            assertTrue(ended(client, id).getString("result").endsWith("my name is Ada"));
            call(client, "background_task", Map.of("resume", id, "prompt", "HOLD() SAY(second)"));
            model.held();
            server.signal("KILL");
            server.handle().onExit().join();
        }
        try (ServerProcess server = start();
                var client = new TaskClient(server)) {
            model.held().release();
            JsonObject second = ended(client, id);
            assertEquals("completed", second.getString("status"), second::encode);
            assertTrue(second.getString("result").endsWith("second"), second::encode);
            assertEquals(1, second.getInteger("resumeCount"));
            call(client, "background_task", Map.of("resume", id, "prompt", "SAY(third)"));
            JsonObject third = ended(client, id);
            assertTrue(third.getString("result").endsWith("third"), third::encode);
            assertEquals(2, third.getInteger("resumeCount"));
            assertTrue(
                    model.requests().stream()
                            .anyMatch(request ->
                                    request.contains("SAY(my name is Ada)") && request.contains("SAY(third)")),
                    "the model is told of the first run");
        }
    }

    private void configure(String protocol, RealAgent program) throws IOException {
        String environment = program.environment().entrySet().stream()
                .map(variable -> variable.getKey() + " = " + quoted(variable.getValue()))
                .collect(Collectors.joining(", "));
        Files.createDirectories(data);
        Path file = data.resolve("penstock.toml");
        Files.writeString(file, """
                [agents]
                usual = "real"

                [agents.real]
                protocol = "%s"
                command = %s
                environment = {%s}
                """.formatted(protocol, new JsonArray(program.command()).encode(), environment));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String quoted(String text) {
        return new JsonArray().add(text).encode().replaceAll("^\\[|]$", "");
    }

    private ServerProcess start() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off", "--workspace", workspace.toString());
    }

    private static JsonObject call(TaskClient client, String tool, Map<String, Object> parameters) {
        HttpResponse<String> answer =
                client.post("/tools/" + tool, new JsonObject(parameters).copy().put("session_id", "s"));
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private static JsonObject ended(TaskClient client, String id) {
        return call(client, "background_output", Map.of("task_id", id, "block", true, "timeout_ms", 50_000))
                .getJsonArray("tasks")
                .getJsonObject(0);
    }
}
