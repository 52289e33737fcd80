package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyFile;
import io.penstock.engine.policy.Profile;
import io.penstock.server.webhook.WebhookReceiver;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The URLs to which policy lets the items of a mailbox be sent, under the profile safe. */
class WebhookPolicyTest {

    @TempDir
    Path folder;

    private WebhookReceiver receiver;

    @BeforeEach
    void listen() {
        receiver = new WebhookReceiver();
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private Policy safe(String rules) throws IOException {
        Path file = folder.resolve("rules.yaml");
        Files.writeString(file, rules);
        return Profile.SAFE.with(PolicyFile.read(file, Profile.SAFE));
    }

    private HttpResponse<String> set(RunningEdge edge, String url) {
        return edge.send(edge.to("/sessions/s/webhook")
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString(new JsonObject().put("url", url).encode()))
                .build());
    }

    private static void assertDenied(HttpResponse<String> answer, String rule) {
        assertEquals(403, answer.statusCode(), answer.body());
        JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
        assertEquals("POLICY_DENIED", error.getString("code"));
        assertEquals(rule, error.getJsonObject("details").getString("rule"));
        assertEquals("webhook", error.getJsonObject("details").getString("operation"));
    }

    @Test
    void safeDeniesEveryWebhookWithoutARule() throws IOException {
        try (var edge = new RunningEdge(folder, Profile.SAFE.with(List.of()))) {
            assertDenied(set(edge, "https://hooks.example.com/"), "safe: webhooks");
            assertDenied(set(edge, receiver.url("/")), "safe: webhooks");
        }
    }

    @Test
    void ruleThatAllowsANameDoesNotAllowAnAddressOfThisMachine() throws Exception {
        Policy policy = safe("""
                rules:
                  - name: local-name
                    operations: [webhook]
                    when: args.host == "localhost"
                    verdict: allow
                """);
        try (var edge = new RunningEdge(folder, policy)) {
            assertDenied(set(edge, "http://localhost:" + receiver.port() + "/"), "safe: webhooks");
            assertDenied(set(edge, "http://127.0.0.1:" + receiver.port() + "/"), "safe: webhooks");
            assertTrue(receiver.isIdle());
        }
    }

    @Test
    void rulesSeeHostPortSessionAndCaller() throws Exception {
        Policy policy = safe("""
                rules:
                  - name: our-receiver
                    operations: [webhook]
                    when: >-
                      args.host in ["localhost", "127.0.0.1"] && args.port == %d && args.scheme == "http"
                      && session == "s" && principal == "user:token" && tool == "webhook"
                    verdict: allow
                  - name: true-runs
                    when: args.command == "true"
                    verdict: allow
                    reason: it does nothing
                """.formatted(receiver.port()));
        try (var edge = new RunningEdge(folder, policy)) {
            assertEquals(
                    200, set(edge, "http://localhost:" + receiver.port() + "/").statusCode());
            assertDenied(set(edge, "http://localhost:1/"), "safe: webhooks");
            edge.spawn(new JsonObject()
                    .put("tool", "bash")
                    .put("execution_mode", "pipes")
                    .put("origin_session_id", "s")
                    .put("args", new JsonObject().put("command", "true")));
            assertEquals("io.penstock.tool_ended", receiver.next().event().getString("type"));
        }
    }
}
