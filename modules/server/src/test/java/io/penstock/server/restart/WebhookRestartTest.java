package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.server.webhook.WebhookReceiver;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Webhooks across kill -9 of the server. */
@Tag("server")
class WebhookRestartTest {

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start() {
        return ServerProcess.ready(data, "--port", "0", "--auth", "off", "--workspace", workspace.toString());
    }

    private static void set(ServerProcess server, String url) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(server.address() + "/sessions/s/webhook"))
                            .header("content-type", "application/json")
                            .PUT(HttpRequest.BodyPublishers.ofString(
                                    new JsonObject().put("url", url).encode()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
        }
    }

    /** The server dies after it has noted the removal in the webhook's file, and before it has recorded it. */
    @Test
    void removalThatWasBegunIsFinishedByTheNextServer() throws Exception {
        try (var receiver = new WebhookReceiver()) {
            try (ServerProcess server = start()) {
                set(server, receiver.url("/"));
                server.signal("KILL");
                server.handle().onExit().join();
            }
            Path file;
            try (Stream<Path> files = Files.list(data.resolve("webhooks"))) {
                file = files.findFirst().orElseThrow();
            }
            Files.writeString(file, "{\"session_id\":\"s\",\"removed_by\":\"user:local\"}");
            try (ServerProcess server = start();
                    var client = new TaskClient(server)) {
                JsonObject last;
                do {
                    String events = server.get("/sessions/s/events?until=now").body();
                    String[] frames = events.strip().split("data: ");
                    last = new JsonObject(frames[frames.length - 1]);
                } while (last.getBoolean("webhook"));
                assertEquals("session_webhook_set", last.getString("type"));
                assertNull(last.getString("target"));
                assertEquals("user:local", last.getString("actor"));
                client.ended(client.spawn(TaskClient.bash("true").put("origin_session_id", "s")));
                assertNull(new JsonObject(server.get("/sessions/s/webhook").body()).getString("target"));
                assertTrue(receiver.isIdle());
                server.signal("TERM");
                server.exitCode();
            }
            assertTrue(Files.notExists(file));
        }
    }

    @Test
    void itemsThatFailedBeforeTheKillAreDeliveredAfterItInOrder() throws Exception {
        List<String> tasks = new ArrayList<>();
        try (var receiver = new WebhookReceiver()) {
            receiver.behave(WebhookReceiver.status(503));
            try (ServerProcess server = start();
                    var client = new TaskClient(server)) {
                set(server, receiver.url("/"));
                for (int i = 0; i < 3; i++) {
                    tasks.add(client.spawn(TaskClient.bash("exit " + i).put("origin_session_id", "s")));
                    client.ended(tasks.getLast());
                }
                receiver.next();
                // Between two attempts, or during one.
                server.signal("KILL");
                server.handle().onExit().join();
            }
            receiver.behave(WebhookReceiver.status(200));
            try (ServerProcess server = start()) {
                var delivered = new LinkedHashSet<String>();
                while (delivered.size() < 3) {
                    delivered.add(receiver.next().event().getString("subject"));
                }
                assertEquals(tasks, List.copyOf(delivered));
                assertTrue(server.address().startsWith("http"));
            }
        }
    }
}
