package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Repeated requests, refused prompts, and programs that end by themselves: details of the contract. */
class RepetitionTest extends OneRpcServer {

    private static long count(Host host, Predicate<JsonObject> wanted) {
        return host.heard.stream().filter(wanted).count();
    }

    private static Predicate<JsonObject> event(String event) {
        return line -> event.equals(line.getString("event"));
    }

    private static Predicate<JsonObject> response(String id) {
        return line -> id.equals(line.getString("id"));
    }

    @Test
    void repeatedSwitchHasOneEffect() {
        try (Host host = server.host();
                Host other = server.host()) {
            host.create("twice");
            String line = "{\"id\":\"twice-s\",\"type\":\"switch_task\",\"payload\":{\"taskId\":\"twice\"}}";
            host.send(line + "\n" + line);
            other.send(line);
            other.response("twice-s");
            host.event("task_ready", "twice");
            host.send(line);
            host.stop("twice");
            assertEquals(3, count(host, response("twice-s")));
            assertEquals(
                    1,
                    host.heard.stream().filter(response("twice-s")).distinct().count());
            assertEquals(1, count(host, event("task_switch_started")));
            assertEquals(1, count(host, event("task_ready")));
        }
    }

    @Test
    void payloadInAnotherOrderIsEqual() {
        try (Host host = server.host()) {
            host.send(
                    "{\"id\":\"sorted\",\"type\":\"create_or_open_task\",\"payload\":{\"taskId\":\"sorted\",\"provider\":\"a\",\"model\":\"b\"}}");
            JsonObject first = host.response("sorted");
            assertTrue(first.getBoolean("ok"), first.encode());
            host.send(
                    "{ \"payload\": {\"model\":\"b\", \"provider\":\"\\u0061\", \"taskId\":\"sorted\"}, \"type\":\"create_or_open_task\", \"id\":\"sorted\"}");
            assertEquals(first, host.response("sorted"));
            host.stop("sorted");
        }
    }

    @Test
    void invalidRequestUsesItsId() {
        try (Host host = server.host()) {
            JsonObject wrong = host.ask("used", "stop_task", Host.task("no such name!"));
            assertEquals("INVALID_REQUEST", wrong.getJsonObject("error").getString("code"));
            assertEquals(wrong, host.ask("used", "stop_task", Host.task("no such name!")));
            JsonObject changed = host.ask("used", "stop_task", Host.task("other"));
            assertEquals("INVALID_REQUEST", changed.getJsonObject("error").getString("code"));
            assertFalse(changed.equals(wrong));
        }
    }

    @Test
    void refusedPromptHasNoEvents() {
        try (Host host = server.host()) {
            host.create("refusing");
            host.switchTo("refusing");
            host.prompt("/sleep 600000", "first");
            assertEquals("TASK_NOT_READY", host.refused("prompt", Host.message("/say no", "refused")));
            host.stop("refusing");
            assertEquals(
                    0,
                    count(
                            host,
                            line -> line.containsKey("event")
                                    && "refused"
                                            .equals(line.getJsonObject("payload")
                                                    .getString("promptId"))));
        }
    }

    private Set<Long> programs() {
        return server.process()
                .handle()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("io.penstock.sample.SampleAgent"))
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    @Test
    void deathOfAnIdleProgramIsATaskError() {
        try (Host host = server.host()) {
            Set<Long> before = programs();
            host.create("idle");
            host.switchTo("idle");
            Set<Long> started = programs();
            started.removeAll(before);
            assertEquals(1, started.size());
            started.forEach(pid -> ProcessHandle.of(pid).orElseThrow().destroyForcibly());
            JsonObject error = host.event("task_error", "idle").getJsonObject("payload");
            assertEquals("PI_PROCESS_DEAD", error.getString("code"));
            assertFalse(error.containsKey("promptId"), error.encode());
            assertEquals("errored", host.state("idle"));
            assertNull(host.active());
            assertEquals("recovered", host.create("idle").getString("mode"));
            host.stop("idle");
        }
    }
}
