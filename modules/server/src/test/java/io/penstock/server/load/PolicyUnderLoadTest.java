package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The file of rules is rewritten repeatedly while several connections spawn: every verdict comes from one complete file
 * that was in force, and nothing else fails.
 */
@Tag("server")
class PolicyUnderLoadTest {

    private static final int CONNECTIONS = 4;
    private static final int ROUNDS = 6;

    /** Rules that are right only together: the last one would allow a command that the first denies. */
    private static String file(String name, String denied) {
        return "rules:\n"
                + "  - {name: " + name + "-denies, when: 'args.command == \"echo " + denied
                + "\"', verdict: deny, reason: "
                + name + "}\n"
                + "  - {name: " + name + "-" + "x".repeat(60) + ", when: 'args.command.matches(\"^nothing[0-9]+$\")',"
                + " verdict: deny}\n"
                + "  - {name: " + name + "-allows, when: 'true', verdict: allow, reason: " + name
                + ", budgets: {time: " + (name.equals("a") ? "30s" : "40s") + "}}\n";
    }

    private enum Written {
        A(file("a", "one")),
        B(file("b", "two")),
        BROKEN("rules:\n  - {name: c-allows, when: 'true', verdict: allow}\n  - {name: c-broken\n");

        private final String text;

        Written(String text) {
            this.text = text;
        }
    }

    private final Path data = ServerProcess.folder();
    private final Path rules = data.resolve("rules.yaml");

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void everyVerdictIsOfOneWholeFile() throws Exception {
        Files.writeString(rules, Written.A.text);
        try (ServerProcess server =
                        ServerProcess.ready(data, "--port", "0", "--auth", "off", "--policy", rules.toString());
                ExecutorService callers = Executors.newFixedThreadPool(CONNECTIONS)) {
            var over = new AtomicBoolean();
            var spawning = new ArrayList<Future<Integer>>();
            var seen = new EnumMap<Written, Integer>(Written.class);
            try {
                for (int i = 0; i < CONNECTIONS; i++) {
                    spawning.add(callers.submit(() -> spawnUntil(over, server)));
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (Written written : Written.values()) {
                        write(written, round);
                        awaitTakenUp(server, written);
                        seen.merge(written, 1, Integer::sum);
                    }
                }
            } finally {
                over.set(true);
            }
            int spawns = 0;
            for (Future<Integer> each : spawning) {
                spawns += each.get();
            }
            assertEquals(Map.of(Written.A, ROUNDS, Written.B, ROUNDS, Written.BROKEN, ROUNDS), seen);
            assertTrue(spawns > 100, spawns + " spawns are no load");
        }
    }

    /** In place and in two pieces, as an editor may write, or as a whole by renaming. */
    private void write(Written written, int round) throws IOException {
        if (round % 2 == 0) {
            int half = written.text.length() / 2;
            try (var file = Files.newBufferedWriter(rules)) {
                file.write(written.text, 0, half);
                file.flush();
                file.write(written.text, half, written.text.length() - half);
            }
        } else {
            Path next = Files.writeString(data.resolve("next.yaml"), written.text);
            Files.move(next, rules, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void awaitTakenUp(ServerProcess server, Written written) {
        try (var client = new TaskClient(server)) {
            long deadline = System.nanoTime() + 30_000_000_000L;
            while (!isInForce(client, written)) {
                assertTrue(System.nanoTime() < deadline, written + " was not taken up");
            }
        }
    }

    private static boolean isInForce(TaskClient client, Written written) {
        boolean broken = new JsonObject(client.get("/healthz").body())
                .getJsonObject("policy")
                .getBoolean("file_broken");
        return switch (written) {
            case A ->
                !broken
                        && rule(client, "one").equals("a-denies")
                        && rule(client, "two").equals("a-allows");
            case B ->
                !broken
                        && rule(client, "two").equals("b-denies")
                        && rule(client, "one").equals("b-allows");
            case BROKEN -> broken && rule(client, "two").equals("b-denies");
        };
    }

    /** The rule that decides the command, after checking that it agrees with the complete file. */
    private static String rule(TaskClient client, String word) {
        HttpResponse<String> answer = client.post("/tasks", TaskClient.bash("echo " + word));
        var body = new JsonObject(answer.body());
        if (answer.statusCode() == 403) {
            JsonObject details = body.getJsonObject("error").getJsonObject("details");
            assertEquals(word.equals("one") ? "a-denies" : "b-denies", details.getString("rule"));
            assertEquals(word.equals("one") ? "a" : "b", details.getString("reason"));
            return details.getString("rule");
        }
        assertEquals(201, answer.statusCode(), answer::body);
        List<JsonObject> verdicts = TaskClient.ofType(
                client.until(body.getString("task_id"), frame -> frame.getInteger("seq") == 1), "task_policy_verdict");
        JsonObject verdict = verdicts.getFirst();
        boolean byA = word.equals("two");
        assertEquals(byA ? "a-allows" : "b-allows", verdict.getString("rule"), verdict::encode);
        assertEquals(byA ? "a" : "b", verdict.getString("reason"));
        assertEquals(byA ? 30_000 : 40_000, verdict.getJsonObject("budgets").getInteger("time_ms"));
        return verdict.getString("rule");
    }

    private static int spawnUntil(AtomicBoolean over, ServerProcess server) {
        int spawns = 0;
        try (var client = new TaskClient(server)) {
            while (!over.get()) {
                rule(client, spawns % 2 == 0 ? "one" : "two");
                spawns++;
            }
        }
        return spawns;
    }
}
