package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the metrics say of agents. */
@Tag("server")
class AgentMetricsTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void turnsToolCallsTokensAndCostAreCountedByProfileAndModel() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            String task = new JsonObject(client.post(
                                    "/tools/task_spawn",
                                    new JsonObject()
                                            .put("task", "/tool a b\n/usage 10 20 0.5")
                                            .put("model", "m1"))
                            .body())
                    .getString("task_id");
            assertEquals("succeeded", client.ended(task).getString("outcome"));
            String metrics = client.get("/metrics").body();
            for (String counted : List.of(
                    "turns_total 1.0",
                    "tool_calls_total 1.0",
                    "input_tokens_total 10.0",
                    "output_tokens_total 20.0",
                    "cost_usd_total 0.5")) {
                String[] words = counted.split(" ");
                assertTrue(
                        metrics.lines()
                                .anyMatch(line -> line.startsWith("penstock_agent_" + words[0] + "{")
                                        && line.contains("profile=\"sample\"")
                                        && line.contains("model=\"m1\"")
                                        && line.endsWith(" " + words[1])),
                        counted);
            }
        }
    }
}
