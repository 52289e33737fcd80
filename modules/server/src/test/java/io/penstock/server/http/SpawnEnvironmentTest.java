package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.policy.Profile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Environment variables that a caller gives a task: those that a rule accepts, and their effect in a shell. */
class SpawnEnvironmentTest {

    private static final String SECRET = "secret-value-7f3a";

    @TempDir
    Path folder;

    private Policy safe(String rules) throws IOException {
        return new PolicySource(Profile.SAFE, Files.writeString(folder.resolve("rules.yaml"), rules)).read();
    }

    private static HttpResponse<String> spawn(RunningEdge edge, String command, Map<String, Object> env) {
        var args = new JsonObject().put("command", command).put("env", new JsonObject(new TreeMap<>(env)));
        return edge.post(
                "/tasks", new JsonObject().put("tool", "bash").put("args", args).encode());
    }

    @Test
    void allowedCommandUnderSafeRunsNothingElse() throws IOException {
        Path hijacked = folder.resolve("hijacked");
        Path script = Files.writeString(folder.resolve("script"), "echo >" + hijacked + "\n");
        Path program = Files.writeString(folder.resolve("ls"), "#!/bin/sh\necho >" + hijacked + "\n");
        assertTrue(program.toFile().setExecutable(true));
        Policy policy = safe(
                "rules: [{name: ls-only, when: 'args.command == \"ls\"', verdict: allow, reason: looks, env: [CI, LANG=C]}]");
        try (var edge = new RunningEdge(folder, policy)) {
            for (Map<String, Object> env : List.<Map<String, Object>>of(
                    Map.of("BASH_FUNC_ls%%", "() { echo >" + hijacked + "; }"),
                    Map.of("BASH_ENV", script.toString()),
                    Map.of("PATH", folder.toString()),
                    Map.of("LD_PRELOAD", SECRET),
                    Map.of("LANG", SECRET),
                    Map.of("CI", "1", "GIT_SSH_COMMAND", SECRET))) {
                HttpResponse<String> answer = spawn(edge, "ls", env);
                assertEquals(403, answer.statusCode(), answer.body());
                JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
                JsonObject details = error.getJsonObject("details");
                assertEquals("ls-only", details.getString("rule"));
                String named = env.containsKey("CI")
                        ? "GIT_SSH_COMMAND"
                        : env.keySet().iterator().next();
                assertTrue(details.getString("reason").contains("environment variable " + named), answer::body);
                String events = edge.get("/tasks/" + details.getString("task_id") + "/events?until=end")
                        .body();
                assertFalse((answer.body() + events).contains(SECRET), events);
            }
            HttpResponse<String> accepted = spawn(edge, "ls", Map.of("CI", SECRET, "LANG", "C"));
            assertEquals(201, accepted.statusCode(), accepted.body());
            String task = new JsonObject(accepted.body()).getString("task_id");
            assertEquals("succeeded", edge.ended(task).getString("outcome"));
            String events = edge.get("/tasks/" + task + "/events?until=end").body();
            assertTrue(events.contains("\"env\":[\"CI\",\"LANG\"]"), events);
            assertFalse(events.contains(SECRET), events);
        }
        assertFalse(Files.exists(hijacked));
    }

    /** Bash reads ~/.bashrc for a command too where it takes itself for one of a remote login. */
    @Test
    void shellsReadNoStartFile() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home"));
        for (String file : List.of(".bashrc", ".bash_profile", ".profile", ".env")) {
            Files.writeString(home.resolve(file), "echo started by " + file + "\n");
        }
        try (var edge = new RunningEdge(folder)) {
            Map<String, Object> remote =
                    Map.of("HOME", home.toString(), "SSH_CLIENT", "192.0.2.1 1 1", "SSH2_CLIENT", "x", "ENV", "~/.env");
            for (String tool : List.of("bash", "shell")) {
                var args = new JsonObject().put("command", "echo ran").put("env", new JsonObject(remote));
                HttpResponse<String> answer = edge.post(
                        "/tasks",
                        new JsonObject().put("tool", tool).put("args", args).encode());
                String task = new JsonObject(answer.body()).getString("task_id");
                edge.ended(task);
                assertEquals(
                        "ran\n",
                        new JsonObject(edge.get("/tasks/" + task + "/output").body()).getString("content"),
                        tool);
            }
        }
    }
}
