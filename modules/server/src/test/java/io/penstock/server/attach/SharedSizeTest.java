package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One terminal, and several viewers with different sizes. */
class SharedSizeTest extends OneServer {

    private String task = "";
    private int ops;

    @BeforeEach
    void spawn() {
        task = client.spawn(TaskClient.terminal("stty -echo; echo ready; read line; stty size"));
        client.untilShown(task, "ready");
    }

    @AfterEach
    void end() {
        client.post("/tasks/" + task + "/cancel", new JsonObject());
    }

    private Attached viewer() {
        Attached viewer = Attached.json(server, task, "tail=0");
        viewer.until("attach_caught_up");
        return viewer;
    }

    private @Nullable Long done(Attached viewer, JsonObject operation) {
        viewer.say(operation.put("op", ++ops));
        return viewer.until("attach_done").getLong("seq");
    }

    private @Nullable Long resize(Attached viewer, int rows, int cols) {
        return done(
                viewer, new JsonObject().put("type", "resize").put("rows", rows).put("cols", cols));
    }

    private @Nullable Long choose(Attached viewer, String policy) {
        return done(viewer, new JsonObject().put("type", "size_policy").put("policy", policy));
    }

    private void assertResizedTo(int rows, int cols, @Nullable Long seq) {
        assertNotNull(seq);
        assertResizedTo(
                rows,
                cols,
                client.until(task, any -> any.getLong("seq").equals(seq)).getLast());
    }

    private static void assertResizedTo(int rows, int cols, JsonObject frame) {
        assertEquals(
                List.of("tool_task_resized", rows, cols),
                List.of(frame.getString("type"), frame.getInteger("rows"), frame.getInteger("cols")));
        assertNotNull(frame.getString("actor"));
    }

    @Test
    void latestSizeCountsByDefault() {
        try (Attached first = viewer();
                Attached second = viewer()) {
            assertResizedTo(40, 100, resize(first, 40, 100));
            assertResizedTo(30, 120, resize(second, 30, 120));
            assertResizedTo(30, 120, resize(first, 30, 120));
            JsonObject presence =
                    second.until(object -> AttachTest.viewers(object) == 2).getLast();
            assertEquals("latest", presence.getString("size_policy"));
            assertNull(presence.getString("leader"));
        }
    }

    @Test
    void refusedSizeBelongsToNoViewer() {
        String pipes = client.spawn(TaskClient.bash("sleep 60"));
        try (Attached viewer = Attached.json(server, pipes, "tail=0")) {
            viewer.say(new JsonObject()
                    .put("type", "resize")
                    .put("op", 1)
                    .put("rows", 7)
                    .put("cols", 7));
            viewer.until("attach_refused");
            try (Attached other = Attached.json(server, pipes, "tail=0")) {
                JsonObject presence =
                        other.until(object -> AttachTest.viewers(object) == 2).getLast();
                presence.getJsonArray("viewers").forEach(each -> assertNull(((JsonObject) each).getInteger("rows")));
            }
        }
        client.post("/tasks/" + pipes + "/cancel", new JsonObject());
    }

    @Test
    void terminalOfOneColumnHasAScreenOfTwo() {
        client.post(
                "/tasks/" + task + "/resize", new JsonObject().put("rows", 10).put("cols", 1));
        JsonObject screen =
                new JsonObject(client.get("/tasks/" + task + "/screen").body());
        assertEquals(List.of(10, 2), List.of(screen.getInteger("rows"), screen.getInteger("cols")));
    }

    @Test
    void smallestSizeGrowsWhenViewersLeave() {
        try (Attached first = viewer()) {
            resize(first, 40, 100);
            try (Attached second = viewer()) {
                resize(second, 30, 120);
                assertResizedTo(30, 100, choose(first, "smallest"));
                assertResizedTo(40, 90, resize(second, 50, 90));
                assertNull(resize(second, 50, 90));
                assertNull(resize(second, 60, 90));
            }
            JsonObject grown = first.until(object -> object.getInteger("cols", 0) == 100
                            && object.getInteger("rows") == 40
                            && object.getString("type").equals("tool_task_resized"))
                    .getLast();
            assertResizedTo(40, 100, grown);
            client.type(task, "go\r");
            first.until(object -> object.getString("chunk", "").contains("40 100"));
        }
    }

    @Test
    void leaderDecidesAndTheNextViewerSucceedsIt() {
        try (Attached second = viewer()) {
            try (Attached first = viewer()) {
                resize(first, 40, 100);
                assertNull(choose(second, "fixed"));
                assertNull(resize(second, 20, 60));
                assertResizedTo(40, 100, choose(first, "leader"));
                assertNull(resize(second, 21, 61));
                assertResizedTo(41, 101, resize(first, 41, 101));
            }
            JsonObject next = second.until(object ->
                            object.getString("type").equals("tool_task_resized") && object.getInteger("rows") == 21)
                    .getLast();
            assertResizedTo(21, 61, next);
            second.say(new JsonObject()
                    .put("type", "resize")
                    .put("op", ++ops)
                    .put("rows", 22)
                    .put("cols", 62));
            JsonObject alone =
                    second.until(object -> AttachTest.viewers(object) == 1).getLast();
            assertEquals("leader", alone.getString("size_policy"));
            assertEquals(alone.getJsonArray("viewers").getJsonObject(0).getString("viewer"), alone.getString("leader"));
        }
    }

    @Test
    void viewersWithoutControlChooseNothing() {
        try (Attached watching = Attached.json(server, task, "tail=0&rights=view")) {
            watching.say(
                    new JsonObject().put("type", "size_policy").put("op", 1).put("policy", "fixed"));
            assertEquals(
                    "PERMISSION_DENIED",
                    watching.until("attach_refused").getJsonObject("error").getString("code"));
        }
    }
}
