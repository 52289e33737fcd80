package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Lines that no host should send, and hosts that do not read: they are answered, bounded, and hold up nobody else. */
class HostileHostsTest extends OneRpcServer {

    private static final String STATE = "{\"id\":\"%s\",\"type\":\"get_state\"}";

    private static String code(Host host) {
        JsonObject line = host.next();
        assertFalse(line.containsKey("id"), line.encode());
        return line.getJsonObject("error").getString("code");
    }

    @Test
    void lineOverTheLimitIsAnsweredAndSkipped() {
        try (Host host = server.host()) {
            host.send("x".repeat(3 * RpcLimits.LINE_BYTES));
            assertEquals("INVALID_REQUEST", code(host));
            assertTrue(host.ask("get_state", new JsonObject()).getBoolean("ok"));
            String exact = STATE.formatted("exact");
            host.send(exact + " ".repeat(RpcLimits.LINE_BYTES - exact.length()));
            assertEquals("exact", host.next().getString("id"));
        }
    }

    @Test
    void bytesThatAreNotTextAreAnswered() {
        try (Host host = server.host()) {
            host.send(new byte[] {'{', '"', (byte) 0xc3, '"', ':', '1', '}', '\n'});
            assertEquals("INVALID_REQUEST", code(host));
            host.send("{\"id\":\"\\ud800\",\"type\":\"stop_task\",\"payload\":{\"taskId\":\"x\"}}");
            assertFalse(host.next().getBoolean("ok"));
            host.send("{\"id\":\"sep\",\"type\":\"get_state\",\"payload\":{\"x\":\"\u2028\"}}\r");
            assertEquals("sep", host.next().getString("id"));
        }
    }

    @Test
    void pageInABrowserCannotSendRequests() {
        try (var host = new Host(server.address())) {
            host.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\r\n"
                    + "{\"id\":\"web\",\"type\":\"create_or_open_task\",\"payload\":{\"taskId\":\"web\"}}");
            assertEquals("INVALID_REQUEST", code(host));
            assertNull(host.nextLine());
        }
        try (Host host = server.host()) {
            assertEquals("missing", host.state("web"));
        }
    }

    @Test
    void firstLineIsShort() {
        try (var host = new Host(server.address())) {
            host.send("{\"id\":\"" + "x".repeat(2 * RpcLimits.FIRST_LINE_BYTES) + "\"}");
            assertEquals("INVALID_REQUEST", code(host));
            assertNull(host.nextLine());
        }
    }

    @Test
    void floodOfRequestsHoldsUpNobodyElse() {
        int count = 20_000;
        try (Host flood = server.host();
                Host other = server.host()) {
            var sent = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < count; i++) {
                    flood.send(STATE.formatted("f" + i));
                }
            });
            for (int i = 0; i < 20; i++) {
                assertTrue(other.ask("get_state", new JsonObject()).getBoolean("ok"));
            }
            for (int i = 0; i < count; i++) {
                assertTrue(flood.next().getBoolean("ok"));
            }
            sent.join();
        }
    }

    @Test
    void hostThatDoesNotReadSlowsNobodyAndMissesNothing() {
        int bytes = 4_000_000;
        try (Host slow = server.host();
                Host other = server.host()) {
            other.create("flood");
            other.switchTo("flood");
            other.prompt("/flood " + bytes, "flood");
            other.event("agent_end", "flood");
            int told = other.said("flood").getBytes(StandardCharsets.UTF_8).length;
            assertTrue(told >= bytes, told + " bytes");
            other.stop("flood");
            slow.event("task_stopped", "flood");
            assertEquals(other.said("flood"), slow.said("flood"));
        }
    }

    @Test
    void refusedRequestsDoNotEndAConnection() {
        try (Host host = server.host()) {
            for (String line :
                    List.of("{}", "null", "7", "\"text\"", "[]", "{\"id\":\"\"}", "{\"id\":\"a\",\"type\":[]}")) {
                host.send(line);
                assertFalse(host.next().getBoolean("ok"), line);
            }
            assertTrue(host.ask("get_state", new JsonObject()).getBoolean("ok"));
        }
    }

    private static String refusal(Host host, String type, JsonObject payload) {
        JsonObject response = host.ask(type, payload);
        return response.getBoolean("ok")
                ? "done"
                : response.getJsonObject("error").getString("code");
    }

    @Test
    void oddFieldsAreRefusedAndNothingBreaks() {
        try (Host host = server.host()) {
            for (String folder : List.of("../out", "/a/../../out", "a\u0000b", "x".repeat(5_000), "/../..")) {
                assertEquals(
                        "INVALID_REQUEST",
                        refusal(host, "create_or_open_task", Host.task("odd").put("workingFolder", folder)),
                        folder);
            }
            for (String field : List.of("model", "provider", "thinkingLevel")) {
                assertEquals(
                        "INVALID_REQUEST",
                        refusal(host, "create_or_open_task", Host.task("odd").put(field, "x".repeat(100_000))),
                        field);
                assertEquals(
                        "INVALID_REQUEST",
                        refusal(host, "create_or_open_task", Host.task("odd").put(field, 7)),
                        field);
            }
            assertEquals("missing", host.state("odd"));
            host.create("odd");
            host.switchTo("odd");
            for (String promptId : List.of("", "x".repeat(100_000), "\u0000")) {
                JsonObject response = host.ask("prompt", Host.message("/say a", promptId));
                if (response.getBoolean("ok")) {
                    host.event("agent_end", "odd");
                } else {
                    assertEquals(
                            "INVALID_REQUEST", response.getJsonObject("error").getString("code"));
                }
            }
            assertEquals("INVALID_REQUEST", refusal(host, "prompt", Host.message(" \n", "blank")));
            assertEquals("INVALID_REQUEST", refusal(host, "prompt", Host.message("x".repeat(140_000), "long")));
            host.send(
                    "{\"id\":\"folder\",\"type\":\"create_or_open_task\",\"payload\":{\"taskId\":\"half\",\"workingFolder\":\"\\ud83d\"}}");
            assertNotNull(host.response("folder"));
            host.send(
                    "{\"id\":\"half\",\"type\":\"prompt\",\"payload\":{\"message\":\"/say \\ud83d\",\"promptId\":\"\\ud83d\"}}");
            assertNotNull(host.response("half"));
            host.stop("odd");
            host.stop("half");
        }
    }

    @Test
    void hostThatEndsItsInputGetsItsAnswers() {
        int states = 4 * RpcLimits.REQUESTS;
        try (Host host = server.host();
                Host other = server.host()) {
            host.send("last", "create_or_open_task", Host.task("last"));
            for (int i = 0; i < states; i++) {
                host.send(STATE.formatted("s" + i));
            }
            host.endInput();
            List<JsonObject> answers = host.rest().stream()
                    .map(JsonObject::new)
                    .filter(line -> line.containsKey("id"))
                    .toList();
            assertEquals(states + 1, answers.size());
            assertTrue(answers.stream().allMatch(answer -> answer.getBoolean("ok")), answers::toString);
            assertTrue(answers.stream().anyMatch(answer -> "last".equals(answer.getString("id"))));
            assertEquals("ready", other.state("last"));
            other.stop("last");
        }
    }

    @Test
    void hostThatEndsItsInputAtOnceIsDisconnected() {
        try (var host = new Host(server.address())) {
            host.endInput();
            assertNull(host.nextLine());
        }
        try (Host host = server.host()) {
            host.endInput();
            host.rest();
        }
    }
}
