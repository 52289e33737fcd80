package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.PostgresProcesses;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Postgres does not answer: hosts learn the state from memory, and turns continue. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
class DatabaseAwayTest {

    private static final JsonObject NOTHING = new JsonObject();

    private final RpcServer server = new RpcServer("--auth", "off");

    @AfterEach
    void resume() {
        PostgresProcesses.signal(server.process(), "CONT");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static JsonObject state(Host host) {
        return host.done("get_state", NOTHING);
    }

    @Test
    void stateIsToldAndTurnsContinue() {
        try (Host host = server.host()) {
            host.create("ended");
            host.stop("ended");
            host.create("crash");
            host.switchTo("crash");
            host.prompt("/sleep 3000\n/crash", "crash");
            host.create("busy");
            host.switchTo("busy");
            host.prompt("/sleep 4000\n/say still here", "busy");
            JsonObject before = host.done("get_state", NOTHING);
            assertEquals("busy", before.getString("activeTaskId"));
            PostgresProcesses.signal(server.process(), "STOP");

            assertEquals(before.getString("activeTaskId"), state(host).getString("activeTaskId"));
            host.eventSoFar("task_error", "crash");
            host.eventSoFar("agent_end", "busy");
            assertEquals("still here", host.said("busy"));
            JsonObject away = state(host);
            assertEquals("busy", away.getString("activeTaskId"));
            assertEquals(
                    before.getJsonArray("tasks").size(),
                    away.getJsonArray("tasks").size());
            assertEquals("stopped", host.state("ended"));
            assertEquals("errored", host.state("crash"));
            assertEquals("active", host.state("busy"));

            JsonObject prompt = Host.message("/say later", "later");
            JsonObject refused = host.ask("later", "prompt", prompt);
            assertEquals("INTERNAL_ERROR", refused.getJsonObject("error").getString("code"));
            assertTrue(refused.getJsonObject("error").getBoolean("retryable"), refused.encode());

            PostgresProcesses.signal(server.process(), "CONT");
            assertEquals("errored", host.state("crash"));
            assertTrue(host.ask("later", "prompt", prompt).getBoolean("ok"));
            host.event("agent_end", "busy");
            assertEquals("later", host.said("later"));
            host.stop("busy");
        }
    }

    private record Request(String id, String type, JsonObject payload) {

        JsonObject ask(Host host) {
            return host.ask(id, type, payload);
        }

        /** As the error says: again, with the same id. */
        JsonObject askUntilDecided(Host host) {
            JsonObject answer = ask(host);
            while (isUndecided(answer)) {
                answer = ask(host);
            }
            return answer;
        }
    }

    private static boolean isUndecided(JsonObject answer) {
        JsonObject error = answer.getJsonObject("error");
        return error != null && error.getString("code").equals("INTERNAL_ERROR") && error.getBoolean("retryable");
    }

    @Test
    void refusedRequestsTakeEffectOnceItIsBack() {
        try (Host host = server.host()) {
            host.create("kept");
            host.create("stopped");
            List<Request> requests = List.of(
                    new Request("away-create", "create_or_open_task", Host.task("new")),
                    new Request("away-open", "create_or_open_task", Host.task("kept")),
                    new Request("away-switch", "switch_task", Host.task("kept")),
                    new Request("away-prompt", "prompt", Host.message("/say once", "once")),
                    new Request("away-stop", "stop_task", Host.task("stopped")),
                    new Request("away-nobody", "switch_task", Host.task("nobody")));
            PostgresProcesses.signal(server.process(), "STOP");
            requests.forEach(request -> host.send(request.id(), request.type(), request.payload()));
            for (int i = 0; i < requests.size(); i++) {
                JsonObject refused = host.until(line -> line.containsKey("id"));
                assertTrue(isUndecided(refused), refused::encode);
            }
            assertNull(state(host).getString("activeTaskId"));

            PostgresProcesses.signal(server.process(), "CONT");
            List<JsonObject> answers = requests.stream()
                    .map(request -> request.askUntilDecided(host))
                    .toList();
            assertEquals("created", answers.get(0).getJsonObject("result").getString("mode"));
            assertEquals("TASK_NOT_READY", answers.get(1).getJsonObject("error").getString("code"));
            assertEquals("switching", answers.get(2).getJsonObject("result").getString("status"));
            assertTrue(answers.get(3).getJsonObject("result").getBoolean("accepted"));
            assertEquals("stopped", answers.get(4).getJsonObject("result").getString("state"));
            assertEquals("TASK_NOT_FOUND", answers.get(5).getJsonObject("error").getString("code"));
            host.eventSoFar("agent_end", "kept");
            assertEquals(
                    answers, requests.stream().map(request -> request.ask(host)).toList());
            assertEquals("once", host.said("once"));
            assertEquals("ready", host.state("new"));
            assertEquals("stopped", host.state("stopped"));
            host.stop("kept");
            host.stop("new");
        }
    }
}
