package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The first line has the access token, or the connection is closed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
class HostTokenTest {

    private RpcServer server;

    @BeforeAll
    void start() {
        server = new RpcServer();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static JsonObject token(String text) {
        return new JsonObject().put("token", text);
    }

    @Test
    void tokenOpensTheConnection() throws IOException {
        String token = Files.readString(server.data().resolve("token")).strip();
        try (var host = new Host(server.address())) {
            assertEquals(
                    "{\"id\":\"a\",\"ok\":true,\"result\":{\"authenticated\":true}}",
                    host.ask("a", "authenticate", token(token)).encode());
            assertTrue(host.ask("get_state", new JsonObject()).getBoolean("ok"));
        }
    }

    @Test
    void everyOtherFirstLineClosesIt() {
        for (JsonObject payload : List.of(token("wrong"), new JsonObject(), new JsonObject().put("token", 7))) {
            try (var host = new Host(server.address())) {
                assertFalse(host.ask("a", "authenticate", payload).getBoolean("ok"));
                assertNull(host.nextLine());
            }
        }
        try (var host = new Host(server.address())) {
            host.send("1", "get_state", new JsonObject());
            host.send("2", "create_or_open_task", Host.task("none"));
            assertEquals("INVALID_REQUEST", host.next().getJsonObject("error").getString("code"));
            assertNull(host.nextLine());
        }
    }

    @Test
    void connectionThatSaysNothingIsClosed() {
        try (var host = new Host(server.address())) {
            assertNull(host.nextLine());
        }
    }
}
