package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteReader;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Programs come with sockets of their own: the one of the JDK is strict about UTF-8, and hands on messages in parts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdkSocketTest {

    private static final String LINE = "\u6f22\u5b57 \ud83d\ude00 \u00e9e\u0301 \u0e01\u0e33";
    private static final int LINES = 100_000;
    private static final long PATIENCE_SECONDS = 60;

    private final Path data = ServerProcess.folder();
    private final HttpClient http = HttpClient.newHttpClient();
    private ServerProcess server;
    private TaskClient client;

    @BeforeAll
    void start() {
        server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
        client = new TaskClient(server);
    }

    @AfterAll
    void stop() {
        http.close();
        client.close();
        server.close();
        ServerProcess.delete(data);
    }

    @Test
    void textOfManyBytesACharacterComesWholeAsJsonWhileItIsWrittenAndAfterwards() throws Exception {
        String task = client.spawn(writer());
        List<String> live = text(task, "from_seq=0");
        List<JsonObject> events = client.events(task);
        assertTrue(events.toString().contains(LINE));
        for (List<String> messages : List.of(live, text(task, "from_seq=0"))) {
            List<JsonObject> objects = messages.stream()
                    .flatMap(String::lines)
                    .map(JsonObject::new)
                    .toList();
            assertEquals(events, AttachTest.frames(objects));
        }
    }

    @Test
    void itComesWholeInTheBinaryLanguageToo() throws Exception {
        String task = client.spawn(writer());
        List<byte[]> live = binary(task, "from_seq=0");
        client.ended(task);
        for (List<byte[]> messages : List.of(live, binary(task, "from_seq=0"))) {
            var shown = new ByteArrayOutputStream();
            for (byte[] message : messages) {
                var reader = new ByteReader(message);
                while (reader.hasMore()) {
                    int kind = reader.readByte();
                    var entry = new ByteReader(reader.readBytes());
                    if (kind == 1) {
                        entry.readNumber();
                        entry.readByte();
                        assertEquals(shown.size(), entry.readNumber());
                        shown.writeBytes(entry.readRest());
                    }
                }
            }
            assertArrayEquals(written().getBytes(StandardCharsets.UTF_8), shown.toByteArray());
        }
    }

    private static JsonObject writer() {
        return TaskClient.terminal("stty -onlcr; yes '" + LINE + "' | head -n " + LINES);
    }

    private static String written() {
        return (LINE + "\n").repeat(LINES);
    }

    private List<String> text(String task, String query) throws Exception {
        var messages = new ArrayList<String>();
        read(task, query, "penstock.v1.json", new Reading() {
            private final StringBuilder message = new StringBuilder();

            @Override
            public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
                message.append(part);
                if (last) {
                    messages.add(message.toString());
                    message.setLength(0);
                }
                socket.request(1);
                return null;
            }
        });
        return messages;
    }

    private List<byte[]> binary(String task, String query) throws Exception {
        var messages = new ArrayList<byte[]>();
        read(task, query, "penstock.v1.binary", new Reading() {
            private final ByteArrayOutputStream message = new ByteArrayOutputStream();

            @Override
            public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
                byte[] bytes = new byte[part.remaining()];
                part.get(bytes);
                message.writeBytes(bytes);
                if (last) {
                    messages.add(message.toByteArray());
                    message.reset();
                }
                socket.request(1);
                return null;
            }
        });
        return messages;
    }

    private void read(String task, String query, String subprotocol, Reading reading) throws Exception {
        URI address = URI.create(server.address());
        WebSocket socket = http.newWebSocketBuilder()
                .subprotocols(subprotocol)
                .buildAsync(
                        URI.create("ws://" + address.getAuthority() + "/tasks/" + task + "/attach?" + query), reading)
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertEquals(subprotocol, socket.getSubprotocol());
        assertEquals(1000, reading.closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private static class Reading implements WebSocket.Listener {
        final CompletableFuture<Integer> closed = new CompletableFuture<>();

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }
    }
}
