package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No file can be created: a disk whose room for files is used up, though not that for bytes, or a folder that has gone. */
class NoRoomForFilesTest {

    @Test
    void spawnIsRefusedWithTheReasonAndMayBeRepeated(@TempDir Path folder) throws IOException {
        try (var edge = new RunningEdge(folder)) {
            Files.delete(folder.resolve("live"));
            String body = "{\"tool\": \"bash\", \"args\": {\"command\": \"true\"}}";
            HttpResponse<String> refused = edge.post("/tasks", body);
            assertEquals(429, refused.statusCode(), refused::body);
            assertTrue(refused.body().contains("\"retryable\":true"), refused::body);
            assertTrue(refused.body().contains("its file cannot be written (NoSuchFileException)"), refused::body);
            Files.createDirectory(folder.resolve("live"));
            assertEquals(201, edge.post("/tasks", body).statusCode());
        }
    }
}
