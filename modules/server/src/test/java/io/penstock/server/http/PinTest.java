package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Frame;
import io.penstock.frames.TaskPinned;
import io.penstock.testbed.Await;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tasks are pinned and unpinned, alive or ended, and each change is one frame. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PinTest {

    private Path folder;
    private RunningEdge edge;

    @BeforeAll
    void start(@TempDir Path folder) {
        this.folder = folder;
        edge = new RunningEdge(folder);
    }

    @AfterAll
    void stop() {
        edge.close();
    }

    @Test
    void pinOfALivingTaskOutlivesItsEnd() throws Exception {
        String task = edge.spawn("sleep 600", "pty");
        assertEquals(204, pin("PUT", task));
        assertEquals(204, pin("PUT", task));
        assertTrue(isPinned(task));
        edge.post("/tasks/" + task + "/cancel", "{}");
        edge.ended(task);
        assertTrue(isPinned(task));
        assertTrue(listed(task).getBoolean("pinned"));
        assertTrue(Files.readAllLines(folder.resolve("artifacts/pinned")).contains(task));
        assertEquals(List.of(true), pins(task));
    }

    @Test
    void endedTaskIsPinnedAndUnpinnedAgain() {
        String task = edge.spawn("true", "pipes");
        long frames = edge.ended(task).getLong("next_seq");
        assertFalse(isPinned(task));
        assertEquals(204, pin("PUT", task));
        assertTrue(isPinned(task));
        assertEquals(204, pin("DELETE", task));
        assertEquals(204, pin("DELETE", task));
        assertFalse(isPinned(task));
        assertEquals(List.of(true, false), pins(task));
        JsonObject status = new JsonObject(edge.get("/tasks/" + task).body());
        assertEquals("exited", status.getString("status"));
        assertEquals(frames + 2, status.getLong("next_seq"));
        assertEquals("exited", listed(task).getString("status"));
        assertFalse(listed(task).getBoolean("pinned"));
    }

    @Test
    void unknownTaskIsNotPinned() {
        assertEquals(404, pin("PUT", "nobody"));
        assertEquals(404, pin("DELETE", "nobody"));
    }

    private boolean isPinned(String task) {
        return new JsonObject(edge.get("/tasks/" + task).body()).getBoolean("pinned");
    }

    private JsonObject listed(String task) {
        return new JsonArray(edge.get("/tasks").body())
                .stream()
                        .map(JsonObject.class::cast)
                        .filter(each -> each.getString("task_id").equals(task))
                        .findAny()
                        .orElseThrow();
    }

    /** A stream of events may close after the end; these came later. */
    private List<Boolean> pins(String task) {
        return Await.await(edge.frames(task)).stream()
                .map(Frame::body)
                .filter(TaskPinned.class::isInstance)
                .map(body -> ((TaskPinned) body).pinned())
                .toList();
    }

    private int pin(String method, String task) {
        return edge.send(edge.to("/tasks/" + task + "/pin")
                        .method(method, BodyPublishers.noBody())
                        .build())
                .statusCode();
    }
}
