package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that are strict about UTF-8 close a socket on an invalid text message. */
@Tag("server")
class StrictSocketTest {

    private static final String LINE = "\u6f22\u5b57 \ud83d\ude00 \u00e9e\u0301 \u0e01\u0e33";

    @Test
    void everyTextMessageIsValidUtf8LiveAndLater() throws IOException {
        Path data = ServerProcess.folder();
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            String task = client.spawn(TaskClient.terminal("yes '" + LINE + "' | head -n 100000"));
            List<JsonObject> live = attached(server, task);
            List<JsonObject> events = client.events(task);
            assertTrue(events.toString().contains(LINE));
            assertEquals(events, AttachTest.frames(live));
            assertEquals(events, AttachTest.frames(attached(server, task)));
        } finally {
            ServerProcess.delete(data);
        }
    }

    private static List<JsonObject> attached(ServerProcess server, String task) throws IOException {
        URI address = URI.create(server.address());
        var objects = new ArrayList<JsonObject>();
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(60_000);
            String request = "GET /tasks/" + task + "/attach?from_seq=0 HTTP/1.1\r\nHost: " + address.getAuthority()
                    + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\nSec-WebSocket-Protocol: penstock.v1.json\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var in = new DataInputStream(socket.getInputStream());
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            assertTrue(head.toString().startsWith("HTTP/1.1 101"), head.toString());
            var message = new ByteArrayOutputStream();
            while (true) {
                int first = in.readUnsignedByte();
                int length = in.readUnsignedByte();
                length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
                byte[] bytes = in.readNBytes(length);
                switch (first & 0xf) {
                    case 0, 1 -> message.writeBytes(bytes);
                    case 8 -> {
                        assertEquals(1000, ByteBuffer.wrap(bytes).getShort());
                        return objects;
                    }
                    case 9 -> {}
                    default -> throw new AssertionError("a frame begins with " + first);
                }
                if (first == 0x80 || first == 0x81) {
                    // Fails if it is not UTF-8.
                    String text = StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(message.toByteArray()))
                            .toString();
                    text.lines().map(JsonObject::new).forEach(objects::add);
                    message.reset();
                }
            }
        }
    }
}
