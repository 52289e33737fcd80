package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.PostgresProcesses;
import io.vertx.core.json.JsonObject;
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
            assertEquals(3, away.getJsonArray("tasks").size());
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
}
