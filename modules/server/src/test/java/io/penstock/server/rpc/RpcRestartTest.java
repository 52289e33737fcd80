package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that was killed or stopped: the next one has the answers of the first, and opens the tasks again with their history. */
@Tag("server")
class RpcRestartTest {

    private RpcServer server;

    @BeforeEach
    void start() {
        server = new RpcServer("--auth", "off");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Host restarted() {
        server.kill();
        server.restart("--auth", "off");
        return server.host();
    }

    /** The answer that the request had, or that nobody knows it. */
    private static void checkRepeated(Host host, String id, String type, JsonObject payload, JsonObject answer) {
        assertEquals(answer, host.ask(id, type, payload));
        JsonObject changed =
                host.ask(id, type, payload.copy().put("taskId", "another").put("message", "another"));
        assertEquals("INVALID_REQUEST", changed.getJsonObject("error").getString("code"));
    }

    @Test
    void answersSurviveAndTheTaskIsRecoveredWithItsHistory() {
        JsonObject created;
        JsonObject switched;
        JsonObject prompted;
        JsonObject stopped;
        try (Host host = server.host()) {
            host.create("stopped");
            stopped = host.ask("stop", "stop_task", Host.task("stopped"));
            created = host.ask("create", "create_or_open_task", Host.task("t"));
            switched = host.ask("switch", "switch_task", Host.task("t"));
            host.event("task_ready", "t");
            prompted = host.ask("prompt", "prompt", Host.message("/say before the death", "pr"));
            host.event("agent_end", "t");
            host.prompt("/sleep 600000", "lost");
        }
        try (Host host = restarted()) {
            assertNull(host.active());
            assertEquals("errored", host.state("t"));
            assertEquals("stopped", host.state("stopped"));
            checkRepeated(host, "create", "create_or_open_task", Host.task("t"), created);
            checkRepeated(host, "switch", "switch_task", Host.task("t"), switched);
            checkRepeated(host, "prompt", "prompt", Host.message("/say before the death", "pr"), prompted);
            checkRepeated(host, "stop", "stop_task", Host.task("stopped"), stopped);
            assertEquals("errored", host.state("t"));
            assertEquals("recovered", host.create("t").getString("mode"));
            host.switchTo("t");
            host.prompt("/history", "after");
            host.event("agent_end", "t");
            assertTrue(host.said("after").contains("2"), host.said("after"));
            assertEquals("resumed", host.create("stopped").getString("mode"));
        }
    }

    @Test
    void stoppedServerTellsItsHostsAndTheTaskIsResumed() {
        try (Host host = server.host()) {
            host.create("t");
            host.switchTo("t");
            host.prompt("/sleep 600000", "pr");
            server.process().signal("TERM");
            host.event("agent_end", "t");
            host.event("task_stopped", "t");
            assertTrue(host.rest().isEmpty());
        }
        server.process().exitCode();
        server.restart("--auth", "off");
        try (Host host = server.host()) {
            assertEquals("stopped", host.state("t"));
            assertEquals("resumed", host.create("t").getString("mode"));
        }
    }
}
