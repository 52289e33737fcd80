package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The protocol of taskd: commands, events, their order, and errors. */
class HostsTest extends OneRpcServer {

    private static final JsonObject NOTHING = new JsonObject();

    @Test
    void taskIsCreatedPromptedStoppedAndResumedWithHistory() throws IOException {
        try (Host host = server.host()) {
            assertEquals(
                    new JsonObject()
                            .put("taskId", "whole")
                            .put("state", "ready")
                            .put("mode", "created"),
                    host.create("whole"));
            assertEquals("ready", host.state("whole"));
            host.switchTo("whole");
            assertEquals("active", host.state("whole"));
            assertEquals("whole", host.active());
            host.prompt("/say good day", "pr_1");
            JsonObject end = host.event("agent_end", "whole");
            assertEquals("pr_1", end.getJsonObject("payload").getString("promptId"));
            assertEquals("good day", host.said("pr_1"));
            assertEquals("stopped", host.stop("whole").getString("state"));
            assertNull(host.active());
            assertEquals("stopped", host.state("whole"));
            assertEquals("resumed", host.create("whole").getString("mode"));
            host.switchTo("whole");
            host.prompt("/history", "pr_2");
            host.event("agent_end", "whole");
            assertTrue(host.said("pr_2").contains("good day"), host.said("pr_2"));
            host.stop("whole");
        }
        assertTrue(Files.isDirectory(server.workspace().resolve("sessions/whole/work")));
        var session = new JsonObject(Files.readString(server.workspace().resolve("sessions/whole/session.json")));
        assertEquals("whole", session.getString("taskId"));
    }

    @Test
    void responseIsAheadOfItsEventsAndStopsEventAheadOfItsResponse() {
        try (Host host = server.host()) {
            host.create("order");
            host.heard.clear();
            host.send("s", "switch_task", Host.task("order"));
            host.event("task_ready", "order");
            assertEquals(List.of("s", "task_switch_started", "task_ready"), shape(host));
            host.heard.clear();
            host.send("p", "prompt", Host.message("/say one", "pr"));
            host.event("agent_end", "order");
            assertEquals(List.of("p", "agent_output", "agent_end"), shape(host));
            host.heard.clear();
            host.send("x", "stop_task", Host.task("order"));
            host.response("x");
            assertEquals(List.of("task_stopped", "x"), shape(host));
        }
    }

    private static List<String> shape(Host host) {
        return host.heard.stream()
                .map(line -> line.containsKey("event") ? line.getString("event") : line.getString("id"))
                .toList();
    }

    @Test
    void severalBusyTasksKeepTheirOrderOnEveryConnection() {
        List<String> names = IntStream.range(0, 4).mapToObj(i -> "busy-" + i).toList();
        try (Host one = server.host();
                Host other = server.host()) {
            for (String name : names) {
                one.create(name);
            }
            for (int round = 0; round < 3; round++) {
                for (String name : names) {
                    one.switchTo(name);
                    one.send(
                            name + round,
                            "prompt",
                            Host.message("/say a\n/tool look x\n/say b\n".repeat(20), name + "/" + round));
                    one.response(name + round);
                }
                for (Host host : List.of(one, other)) {
                    List<String> left = new ArrayList<>(names);
                    while (!left.isEmpty()) {
                        left.remove(host.heard.stream()
                                .filter(line -> "agent_end".equals(line.getString("event")))
                                .map(line -> line.getString("taskId"))
                                .filter(left::contains)
                                .findFirst()
                                .orElseGet(() -> {
                                    host.until(line -> "agent_end".equals(line.getString("event")));
                                    return "";
                                }));
                    }
                    for (String name : names) {
                        checkPrompt(host, name, name + "/" + round, host == one ? name + round : null);
                    }
                    host.heard.clear();
                }
            }
            names.forEach(one::stop);
        }
    }

    /** Of one task: the response, then outputs of this prompt only, then its end. */
    private static void checkPrompt(Host host, String name, String promptId, @Nullable String request) {
        List<String> seen = host.heard.stream()
                .filter(line -> name.equals(line.getString("taskId"))
                                && line.getString("event", "").startsWith("agent_")
                        || (request != null && request.equals(line.getString("id"))))
                .map(line -> line.containsKey("event")
                        ? line.getString("event") + " "
                                + line.getJsonObject("payload").getString("promptId")
                        : "response")
                .toList();
        int first = request == null ? 0 : 1;
        if (request != null) {
            assertEquals("response", seen.getFirst());
        }
        assertTrue(seen.size() > first + 1, String.valueOf(seen));
        assertEquals("agent_end " + promptId, seen.getLast());
        seen.subList(first, seen.size() - 1).forEach(each -> assertEquals("agent_output " + promptId, each));
    }

    @Test
    void secondPromptIsRefusedWhileOneRuns() {
        try (Host host = server.host()) {
            host.create("one-at-a-time");
            host.switchTo("one-at-a-time");
            host.prompt("/sleep 600000", "long");
            JsonObject refused = host.ask("prompt", Host.message("/say no", "second"));
            assertEquals("TASK_NOT_READY", refused.getJsonObject("error").getString("code"));
            assertTrue(refused.getJsonObject("error").getBoolean("retryable"));
            host.stop("one-at-a-time");
            JsonObject end = host.heard.stream()
                    .filter(line -> "agent_end".equals(line.getString("event")))
                    .findFirst()
                    .orElseThrow();
            assertEquals("long", end.getJsonObject("payload").getString("promptId"));
        }
    }

    @Test
    void crashIsATaskErrorAndTheTaskIsRecovered() {
        try (Host host = server.host()) {
            host.create("crash");
            host.switchTo("crash");
            host.prompt("/say first\n", "pr_1");
            host.event("agent_end", "crash");
            host.prompt("/say half\n/crash", "pr_2");
            JsonObject error = host.event("task_error", "crash").getJsonObject("payload");
            assertEquals("PI_PROCESS_DEAD", error.getString("code"));
            assertEquals("pr_2", error.getString("promptId"));
            assertEquals("errored", host.state("crash"));
            assertNull(host.active());
            assertEquals("TASK_NOT_READY", host.refused("prompt", Host.message("/say", "pr_3")));
            assertEquals("TASK_NOT_READY", host.refused("switch_task", Host.task("crash")));
            assertEquals("PI_PROCESS_DEAD", host.refused("stop_task", Host.task("crash")));
            assertEquals("recovered", host.create("crash").getString("mode"));
            host.switchTo("crash");
            host.prompt("/history", "pr_4");
            host.event("agent_end", "crash");
            assertTrue(host.said("pr_4").startsWith("2 prompts before"), host.said("pr_4"));
            host.stop("crash");
        }
    }

    @Test
    void everyErrorNamesItsReason() {
        try (Host host = server.host()) {
            assertEquals("TASK_NOT_FOUND", host.refused("switch_task", Host.task("nobody")));
            assertEquals("TASK_NOT_FOUND", host.refused("stop_task", Host.task("nobody")));
            assertEquals("INVALID_REQUEST", host.refused("create_or_open_task", NOTHING));
            assertEquals("INVALID_REQUEST", host.refused("create_or_open_task", Host.task("../escape")));
            assertEquals(
                    "INVALID_REQUEST",
                    host.refused("create_or_open_task", Host.task("out").put("workingFolder", "../../out")));
            assertEquals(
                    "INVALID_REQUEST",
                    host.refused("create_or_open_task", Host.task("out").put("provider", "anthropic")));
            assertEquals("INVALID_REQUEST", host.refused("prompt", NOTHING));
            assertEquals("INVALID_REQUEST", host.refused("dance", NOTHING));
            host.create("open");
            assertEquals("TASK_NOT_READY", host.refused("create_or_open_task", Host.task("open")));
            host.stop("open");
            assertEquals("stopped", host.stop("open").getString("state"));
        }
    }

    @Test
    void repeatedRequestHasOneEffectAndOneAnswer() {
        try (Host host = server.host();
                Host other = server.host()) {
            host.send("again-1", "create_or_open_task", Host.task("again"));
            other.send("again-1", "create_or_open_task", Host.task("again"));
            JsonObject first = host.response("again-1");
            assertTrue(first.getBoolean("ok"), first.encode());
            assertEquals(first, other.response("again-1"));
            assertEquals(first, host.ask("again-1", "create_or_open_task", Host.task("again")));
            JsonObject changed = host.ask(
                    "again-1", "create_or_open_task", Host.task("again").put("model", "x"));
            assertEquals("INVALID_REQUEST", changed.getJsonObject("error").getString("code"));
            host.switchTo("again");
            JsonObject prompted = host.ask("again-2", "prompt", Host.message("/say once", "pr"));
            host.event("agent_end", "again");
            assertEquals(prompted, host.ask("again-2", "prompt", Host.message("/say once", "pr")));
            JsonObject stopped = host.ask("again-3", "stop_task", Host.task("again"));
            assertEquals(stopped, host.ask("again-3", "stop_task", Host.task("again")));
            assertEquals("resumed", host.create("again").getString("mode"));
            assertEquals(stopped, host.ask("again-3", "stop_task", Host.task("again")));
            assertEquals("ready", host.state("again"));
            assertEquals("once", host.said("pr"));
            host.stop("again");
        }
    }

    @Test
    void requestsSentInOneGoAreCarriedOutInOrder() {
        try (Host host = server.host()) {
            host.send("""
                    {"id":"go-1","type":"create_or_open_task","payload":{"taskId":"go"}}
                    {"id":"go-2","type":"switch_task","payload":{"taskId":"go"}}
                    {"id":"go-3","type":"prompt","payload":{"message":"/say done","promptId":"go"}}
                    {"id":"go-4","type":"stop_task","payload":{"taskId":"go"}}""");
            assertTrue(host.response("go-4").getBoolean("ok"));
            assertEquals(
                    List.of("go-1", "go-2", "go-3", "go-4"),
                    shape(host).stream().filter(each -> each.startsWith("go-")).toList());
        }
    }

    @Test
    void hundredConnectionsGetEveryEvent() {
        var hosts = new ArrayList<Host>();
        try {
            for (int i = 0; i < 100; i++) {
                hosts.add(server.host());
            }
            Host first = hosts.getFirst();
            first.create("hundred");
            first.switchTo("hundred");
            first.prompt("/say hello to all of you", "all");
            for (Host host : hosts) {
                host.event("agent_end", "hundred");
                assertEquals("hello to all of you", host.said("all"));
            }
            first.stop("hundred");
            hosts.subList(1, hosts.size())
                    .forEach(host ->
                            assertFalse(host.event("task_stopped", "hundred").isEmpty()));
        } finally {
            hosts.forEach(Host::close);
        }
    }

    @Test
    void turnThatFailsIsATaskErrorOfItsPrompt() {
        try (Host host = server.host()) {
            host.create("garbage");
            host.switchTo("garbage");
            host.prompt("/garbage", "pr");
            JsonObject line =
                    host.until(each -> List.of("task_error", "agent_end").contains(each.getString("event", "")));
            assertEquals("pr", line.getJsonObject("payload").getString("promptId"));
        }
    }

    @Test
    void modelOfARunIsTheOneThatItsOpeningNamed() {
        try (Host host = server.host()) {
            host.done(
                    "create_or_open_task",
                    Host.task("models")
                            .put("provider", "house")
                            .put("model", "small")
                            .put("thinkingLevel", "low"));
            host.switchTo("models");
            host.prompt("/model", "pr_1");
            host.event("agent_end", "models");
            assertTrue(host.said("pr_1").contains("house/small"), host.said("pr_1"));
            host.stop("models");
            host.done(
                    "create_or_open_task",
                    Host.task("models").put("provider", "house").put("model", "large"));
            host.switchTo("models");
            host.prompt("/model", "pr_2");
            host.event("agent_end", "models");
            assertTrue(host.said("pr_2").contains("house/large"), host.said("pr_2"));
            assertEquals("INVALID_REQUEST", host.refused("create_or_open_task", NOTHING));
            host.stop("models");
            assertEquals(
                    "INVALID_REQUEST",
                    host.refused("create_or_open_task", Host.task("models").put("workingFolder", "/elsewhere")));
        }
    }
}
