package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code --profile} and {@code --policy}: their effect over HTTP, how a changed file is loaded, and how a broken one is
 * reported.
 */
@Tag("server")
class PolicyOptionTest {

    private final Path data = ServerProcess.folder();
    private final Path rules = data.resolve("rules.yaml");

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void changedFileIsInForceAtOnceAndABrokenOneChangesNothing() throws IOException {
        Files.writeString(rules, deny("uname"));
        try (ServerProcess server = ServerProcess.ready(
                data, "--port", "0", "--auth", "off", "--profile", "full-auto", "--policy", rules.toString())) {
            assertTrue(
                    server.saidSoFar()
                            .contains("What tasks may do is decided by the profile full-auto after 1 rule of " + rules
                                    + "."),
                    () -> server.saidSoFar().toString());
            assertEquals("no-uname", deniedBy(server, "uname -a"));
            JsonObject allowed = spawned(server, "id");
            assertTrue(verdict(server, allowed.getString("task_id"))
                            .getJsonObject("budgets")
                            .getLong("time_ms")
                    > 0);

            Files.writeString(rules, deny("id"));
            until(() -> "no-id".equals(deniedBy(server, "id")));
            assertEquals("", deniedBy(server, "uname -a"));

            Files.writeString(rules, "rules:\n  - name: half");
            until(() -> health(server).getJsonObject("policy").getBoolean("file_broken"));
            assertEquals("degraded", health(server).getString("status"));
            assertEquals("no-id", deniedBy(server, "id"));

            Files.writeString(rules, "rules: []");
            until(() -> deniedBy(server, "id").isEmpty());
            assertEquals("ok", health(server).getString("status"));
        }
    }

    @Test
    void theProfileSafeBeginsNothingAndTheUsualOneAShell() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--profile", "safe")) {
            assertEquals("safe: tasks", deniedBy(server, "true"));
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            assertTrue(
                    server.saidSoFar().contains("What tasks may do is decided by the profile local."),
                    () -> server.saidSoFar().toString());
            assertEquals("", deniedBy(server, "true"));
        }
    }

    @Test
    void aBrokenFileStopsTheStartWithLineAndReason() throws IOException {
        Files.writeString(rules, "rules:\n  - name: a\n    verdict: deny\n    when: tol == \"bash\"\n");
        assertRefused(
                1,
                "The policy " + rules
                        + ", line 4: the condition is wrong: undeclared reference to 'tol' (in container '')",
                "--policy",
                rules.toString());
        assertRefused(2, "A profile is local, safe, full-auto, not \"strict\"", "--profile", "strict");
    }

    private void assertRefused(int code, String sentence, String... options) {
        try (ServerProcess server = ServerProcess.begin(data.resolve("never"), options)) {
            assertEquals(code, server.exitCode());
            assertEquals(List.of("penstock: " + sentence), server.said());
            assertTrue(Files.notExists(data.resolve("never/postgres")));
        }
    }

    private static String deny(String command) {
        return "rules:\n  - {name: no-" + command + ", when: 'args.command.startsWith(\"" + command
                + "\")', verdict: deny, reason: not here}\n";
    }

    /** The rule that denies a spawn, or nothing if it is allowed. */
    private static String deniedBy(ServerProcess server, String command) {
        JsonObject error = spawned(server, command).getJsonObject("error");
        return error == null ? "" : error.getJsonObject("details").getString("rule");
    }

    private static JsonObject spawned(ServerProcess server, String command) {
        var body = new JsonObject().put("tool", "bash").put("args", new JsonObject().put("command", command));
        return new JsonObject(server.post("/tasks", body.encode()).body());
    }

    private static JsonObject verdict(ServerProcess server, String task) {
        return server.get("/tasks/" + task + "/events?until=end")
                .body()
                .lines()
                .filter(line -> line.startsWith("data: ") && line.contains("task_policy_verdict"))
                .map(line -> new JsonObject(line.substring("data: ".length())))
                .findFirst()
                .orElseThrow();
    }

    private static JsonObject health(ServerProcess server) {
        return new JsonObject(server.get("/healthz").body());
    }

    private static void until(BooleanSupplier holds) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("did not come about");
            }
        }
    }
}
