package io.penstock.server.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The files written about tasks next to the log, for the next start, when the disk does not take them. */
@Tag("server")
class NotesOnDiskTest {

    @Test
    void aNoteThatCannotBeMadeIsToldInTheLog() throws Exception {
        Path data = ServerProcess.folder();
        try (var server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                HttpClient client = HttpClient.newHttpClient()) {
            Files.delete(data.resolve("live-spare"));
            Files.writeString(data.resolve("live-spare"), "in the way");
            var spawned = client.send(
                    HttpRequest.newBuilder(URI.create(server.address() + "/tasks"))
                            .header("content-type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "{\"tool\": \"bash\", \"args\": {\"command\": \"true\"}}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(201, spawned.statusCode(), spawned::body);
            String task = new JsonObject(spawned.body()).getString("task_id");
            server.until("The file of task " + task + " cannot be changed");
        } finally {
            ServerProcess.delete(data);
        }
    }
}
