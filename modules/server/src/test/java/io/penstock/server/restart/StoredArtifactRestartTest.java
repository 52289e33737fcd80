package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An artifact stored by a tool outlives the server, and is removed like outputs. */
@Tag("server")
class StoredArtifactRestartTest {

    private static final String STORE = "/tools/artifact_store";
    private static final String TEXT = "{\"text\": \"what was found\\n\"}";

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void aKeyedCallHasOneAnswerAcrossAKill() throws Exception {
        JsonObject stored;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            HttpResponse<String> first = server.post(data, STORE, TEXT, "find-1");
            assertEquals(200, first.statusCode(), first.body());
            stored = new JsonObject(first.body());
            assertEquals(first.body(), server.post(data, STORE, TEXT, "find-1").body());
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(
                    stored,
                    new JsonObject(server.post(data, STORE, TEXT, "find-1").body()));
            HttpResponse<String> other = server.post(data, STORE, "{\"text\": \"other\"}", "find-1");
            assertEquals(422, other.statusCode(), other.body());
            // A read-only tool takes no key: with the same key it reads something else.
            for (int most = 1; most < 5; most++) {
                var fetch = new JsonObject().put("id", stored.getString("id")).put("max_bytes", most);
                HttpResponse<String> page = server.post(data, "/tools/artifact_fetch", fetch.encode(), "find-1");
                assertEquals("what".substring(0, most), new JsonObject(page.body()).getString("content"));
            }
        }
    }

    @Test
    void whatIsTooOldIsRemovedAndSaysWhen() throws Exception {
        JsonObject stored;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            stored = new JsonObject(server.post(STORE, TEXT).body());
            server.signal("TERM");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--keep-days", "0")) {
            server.until("1 outputs with 0 MiB were removed");
            String id = stored.getString("id");
            for (HttpResponse<String> answer : List.of(
                    server.get("/artifacts/" + id), server.post("/tools/artifact_fetch", "{\"id\": \"" + id + "\"}"))) {
                assertEquals(410, answer.statusCode(), answer.body());
                String message =
                        new JsonObject(answer.body()).getJsonObject("error").getString("message");
                assertTrue(message.startsWith("The artifact " + id + " was removed at 2"), message);
            }
            assertEquals(
                    404, server.get("/artifacts/" + stored.getString("digest")).statusCode());
            assertEquals(stored, new JsonObject(server.post(STORE, TEXT).body()));
            assertEquals("what was found\n", server.get("/artifacts/" + id).body());
        }
    }

    @Test
    void belowTheReserveNothingIsStored() {
        try (ServerProcess server =
                ServerProcess.ready(data, "--port", "0", "--auth", "off", "--disk-reserve", "100000000")) {
            HttpResponse<String> answer = server.post(STORE, TEXT);
            assertEquals(429, answer.statusCode(), answer.body());
            assertEquals("1", answer.headers().firstValue("retry-after").orElseThrow());
            JsonObject error = new JsonObject(answer.body()).getJsonObject("error");
            assertEquals("QUOTA_EXCEEDED", error.getString("code"));
            assertTrue(error.getString("message").contains("reserved for the ledger"), error::encode);
        }
    }
}
