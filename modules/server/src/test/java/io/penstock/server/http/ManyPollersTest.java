package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A thousand clients of the tool shell, each with a connection of its own that has presented its token before. */
class ManyPollersTest extends ShellTestBed {

    private static final int CLIENTS = 1_000;

    private static final int PATIENCE_MS = 60_000;

    private final List<Client> clients = new ArrayList<>();

    /** A connection with HTTP/1.1. */
    private final class Client {

        private final Socket socket;
        private final DataInputStream answers;

        Client() throws IOException {
            socket = new Socket("127.0.0.1", edge.port());
            socket.setSoTimeout(PATIENCE_MS);
            answers = new DataInputStream(socket.getInputStream());
        }

        void send(String request, String body) throws IOException {
            byte[] bytes = (request + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + edge.token
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                            + body)
                    .getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(bytes);
        }

        boolean isAnswered() throws IOException {
            return socket.getInputStream().available() > 0;
        }

        JsonObject answer() throws IOException {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) answers.readUnsignedByte());
            }
            assertTrue(head.toString().startsWith("HTTP/1.1 200 "), head::toString);
            String length = head.toString().split("content-length: ")[1].split("\r")[0];
            var body = new byte[Integer.parseInt(length)];
            answers.readFully(body);
            return new JsonObject(new String(body, StandardCharsets.UTF_8));
        }
    }

    private void connect() throws IOException {
        String ended = spawn("true", "connected");
        edge.ended(ended);
        for (int i = 0; i < CLIENTS; i++) {
            var client = new Client();
            client.send("GET /tasks/" + ended, "");
            client.answer();
            clients.add(client);
        }
    }

    @AfterEach
    void disconnect() throws IOException {
        for (Client client : clients) {
            client.socket.close();
        }
        clients.clear();
    }

    @Test
    void everyPollThatWaitsIsAnsweredAndNobodyElseWaits() throws Exception {
        Path gate = edge.workspace.resolve("gate");
        assertEquals(0, new ProcessBuilder("mkfifo", gate.toString()).start().waitFor());
        connect();
        String run = spawn("cat gate", "polled");
        edge.await(run, "\"phase\":\"running\"");
        long since = poll(run, 0, 0).getLong("next_seq");
        for (Client client : clients) {
            client.send("POST /tools/shell", pollCall(run, since, 50_000));
        }
        String other = spawn("echo here", "another");
        assertEquals("here\n", text(items(ended(other)), "stdout"));
        for (Client client : clients) {
            assertTrue(!client.isAnswered(), "nothing is new");
        }

        try (OutputStream open = Files.newOutputStream(gate)) {
            open.write("open\n".getBytes(StandardCharsets.UTF_8));
        }
        var first = new HashSet<JsonObject>();
        for (Client client : clients) {
            first.add(client.answer().getJsonArray("items").getJsonObject(0));
        }
        assertEquals(1, first.size(), first::toString);
        assertEquals("open\n", first.iterator().next().getString("payload"));
    }

    @Test
    void pollsThatDoNotWaitAllHaveTheSameAnswer() throws Exception {
        connect();
        String run = spawn("seq 1 1000", "read");
        edge.ended(run);
        for (Client client : clients) {
            client.send("POST /tools/shell", pollCall(run, 0, 0));
        }
        var answers = new HashSet<JsonObject>();
        for (Client client : clients) {
            answers.add(client.answer());
        }
        assertEquals(1, answers.size());
    }
}
