package io.penstock.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.agent.AgentProfile;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The profiles that ship. */
class ShippedProfilesTest {

    @TempDir
    Path data = Path.of("");

    private Map<String, AgentProfile> profiles() {
        return ShippedProfiles.all(data);
    }

    @Test
    void theSampleAgentStartsByItsProfileAlone() throws Exception {
        AgentProfile sample = Objects.requireNonNull(profiles().get(ShippedProfiles.USUAL));
        ProcessBuilder builder = new ProcessBuilder(sample.command("large", "low"))
                .directory(data.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        Process agent = builder.start();
        try (BufferedReader out = agent.inputReader(StandardCharsets.UTF_8)) {
            call(agent, 1, "initialize", new JsonObject().put("protocolVersion", 1));
            String name = new JsonObject(out.readLine())
                    .getJsonObject("result")
                    .getJsonObject("agentInfo")
                    .getString("name");
            assertEquals("penstock-sample", name);
            call(agent, 2, "session/new", new JsonObject().put("cwd", data.toString()));
            String conversation =
                    new JsonObject(out.readLine()).getJsonObject("result").getString("sessionId");
            assertTrue(Files.exists(data.resolve("agents/sample/" + conversation + ".jsonl")));
        } finally {
            agent.destroyForcibly();
        }
    }

    private static void call(Process agent, int id, String method, JsonObject params) throws IOException {
        String line = new JsonObject()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("method", method)
                .put("params", params)
                .encode();
        agent.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        agent.getOutputStream().flush();
    }

    @Test
    void theOthersPassNoVariablesOnAndAreFoundInThePath() {
        profiles().values().forEach(profile -> {
            assertEquals(Map.of(), profile.environment());
            assertEquals(
                    profile.name().equals(ShippedProfiles.USUAL),
                    profile.command().getFirst().startsWith("/"));
        });
    }
}
