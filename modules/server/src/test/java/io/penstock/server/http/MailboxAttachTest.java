package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.server.attach.BareSocket;
import io.penstock.testbed.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mailboxes over WebSockets. */
class MailboxAttachTest {

    private RunningEdge edge;

    @BeforeEach
    void start(@TempDir Path folder) {
        edge = new RunningEdge(folder);
        Await.await(edge.sessions.use("s", Actor.user("alice")));
    }

    @AfterEach
    void stop() {
        edge.close();
    }

    /** A client that reads one object after the other, and answers pings. */
    private static final class Client implements AutoCloseable {
        private final BareSocket socket;
        private final ArrayDeque<JsonObject> objects = new ArrayDeque<>();

        Client(BareSocket socket) {
            this.socket = socket;
        }

        void send(JsonObject object) throws IOException {
            socket.send(object.encode());
        }

        JsonObject next() throws IOException {
            while (objects.isEmpty()) {
                BareSocket.Message message = socket.next();
                if (message.opcode() == BareSocket.PING) {
                    socket.send(BareSocket.PONG, false, message.bytes());
                } else {
                    assertEquals(BareSocket.TEXT, message.opcode(), () -> "closed with " + message.closeCode());
                    message.text().lines().map(JsonObject::new).forEach(objects::add);
                }
            }
            return objects.remove();
        }

        JsonObject next(String type) throws IOException {
            JsonObject next = next();
            assertEquals(type, next.getString("type"), next::encode);
            return next;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Client attach(String query) throws IOException {
        return attach(query, edge.token);
    }

    private Client attach(String query, String token) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + edge.port());
        return new Client(
                new BareSocket(address, "/sessions/s/mailbox/attach" + query, "penstock.v1.json", token).open());
    }

    private String run(String command) {
        String task = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", "pipes")
                .put("origin_session_id", "s")
                .put("args", new JsonObject().put("command", command)));
        edge.ended(task);
        return task;
    }

    @Test
    void itemsComeAsTheyHappenAndAreAcknowledged() throws IOException {
        try (Client client = attach("?snippet=true")) {
            assertEquals("control", client.next("mailbox_ready").getString("rights"));
            client.next("mailbox_caught_up");
            String task = run("echo hello");
            JsonObject item = client.next("tool_ended");
            assertEquals(task, item.getString("task_id"));
            assertEquals("hello\n", item.getString("snippet"));
            assertTrue(item.getString("text").startsWith("Background task"));

            client.send(new JsonObject().put("type", "ack").put("op", 1).put("through_seq", item.getLong("seq")));
            JsonObject done = client.next("mailbox_done");
            assertEquals(1, done.getInteger("op"));
            assertEquals(0, done.getJsonObject("session").getInteger("mailbox_waiting"));

            client.send(new JsonObject().put("type", "end").put("op", 2).put("reason", "done"));
            assertEquals(
                    "ended",
                    client.next("mailbox_done").getJsonObject("session").getString("status"));
        }
        try (Client again = attach("")) {
            assertEquals(0, again.next("mailbox_ready").getInteger("waiting"));
            again.next("mailbox_caught_up");
        }
    }

    @Test
    void unacknowledgedItemsComeAgainWithTheSameKey() throws IOException {
        List<String> firstKeys;
        try (Client client = attach("")) {
            client.next("mailbox_ready");
            client.next("mailbox_caught_up");
            run("true");
            run("false");
            firstKeys = List.of(
                    client.next("tool_ended").getString("key"),
                    client.next("tool_ended").getString("key"));
        }
        try (Client client = attach("")) {
            client.next("mailbox_ready");
            List<String> keys = List.of(
                    client.next("tool_ended").getString("key"),
                    client.next("tool_ended").getString("key"));
            client.next("mailbox_caught_up");
            assertEquals(firstKeys, keys);
        }
    }

    @Test
    void malformedMessagesAreRefusedAndTheNextIsTaken() throws IOException {
        try (Client client = attach("")) {
            client.next("mailbox_ready");
            client.next("mailbox_caught_up");
            for (String wrong : List.of(
                    "no json",
                    "{}",
                    "{\"type\":\"ack\"}",
                    "{\"type\":\"ack\",\"op\":0,\"through_seq\":0}",
                    "{\"type\":\"ack\",\"op\":3,\"through_seq\":-1}",
                    "{\"type\":\"ack\",\"op\":3,\"through_seq\":99}",
                    "{\"type\":\"delete\",\"op\":3}",
                    "{\"type\":\"end\",\"op\":3,\"why\":\"x\"}")) {
                client.socket.send(wrong);
                assertEquals(
                        "INVALID_REQUEST",
                        client.next("mailbox_refused").getJsonObject("error").getString("code"),
                        wrong);
            }
            client.socket.send(BareSocket.BINARY, false, new byte[] {1});
            client.next("mailbox_refused");
            client.send(new JsonObject().put("type", "ack").put("op", 4).put("through_seq", 0));
            client.next("mailbox_done");
        }
    }

    @Test
    void answerTokenMayOnlyView() throws IOException {
        assertThrows(IOException.class, () -> attach("", edge.answerToken));
        try (Client client = attach("?rights=view", edge.answerToken)) {
            assertEquals("view", client.next("mailbox_ready").getString("rights"));
            client.next("mailbox_caught_up");
            client.send(new JsonObject().put("type", "ack").put("op", 1).put("through_seq", 0));
            assertEquals(
                    "PERMISSION_DENIED",
                    client.next("mailbox_refused").getJsonObject("error").getString("code"));
        }
        assertThrows(IOException.class, () -> attach("", "wrong"));
    }

    @Test
    void wrongRequestsAreAnsweredOverHttp() {
        assertEquals(426, edge.get("/sessions/s/mailbox/attach").statusCode());
        assertEquals(400, edge.get("/sessions/s/mailbox/attach?rights=all").statusCode());
        assertThrows(IOException.class, () -> attach("?from_seq=99"));
        assertThrows(IOException.class, () -> attach("?snippet=1"));
    }

    /** The server reads no further for it, so nothing grows; the others get everything at once. */
    @Test
    void clientThatReadsNothingDelaysNobody() throws IOException {
        try (Client slow = attach("?snippet=true");
                Client quick = attach("?snippet=true")) {
            for (Client client : List.of(slow, quick)) {
                client.next("mailbox_ready");
                client.next("mailbox_caught_up");
            }
            edge.spawn(new JsonObject()
                    .put("tool", "bash")
                    .put("execution_mode", "pipes")
                    .put("origin_session_id", "s")
                    .put(
                            "watch",
                            new io.vertx.core.json.JsonArray()
                                    .add(new JsonObject()
                                            .put("regex", "^[0-9]+$")
                                            .put("event", "n")))
                    .put("args", new JsonObject().put("command", "seq 1 3000")));
            JsonObject item = quick.next();
            while (!item.getString("type").equals("tool_ended")) {
                item = quick.next();
            }
            // All of them are still there for the slow one.
            long matches = 0;
            JsonObject late = slow.next();
            while (!late.getString("type").equals("tool_ended")) {
                matches += late.getLong("count", 1L);
                late = slow.next();
            }
            assertEquals(3_000, matches);
        }
    }
}
