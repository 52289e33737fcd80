package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An ended task is removed from lists with its outputs, and its record stays. */
@ExtendWith(VertxExtension.class)
class RemovedFromListsTest {

    private RunningEdge edge;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void listsLeaveOutARemovedTaskWhoseRecordStays() {
        String stays = edge.spawn("echo stays", "pipes");
        String task = edge.spawn("echo goes", "pipes");
        edge.ended(stays);
        long frames = edge.ended(task).getLong("next_seq");
        assertEquals(List.of(task, stays), listed());

        assertEquals(204, remove(task).statusCode());
        assertEquals(204, remove(task).statusCode());
        assertEquals(List.of(stays), listed());
        assertEquals(List.of(task, stays), listed("?cleared=true"));
        assertEquals(2, new JsonObject(edge.get("/tasks/counts?cleared=true").body()).getInteger("all"));
        assertEquals(1, new JsonObject(edge.get("/tasks/counts").body()).getInteger("all"));
        JsonObject status = new JsonObject(edge.get("/tasks/" + task).body());
        assertEquals("exited", status.getString("status"));
        assertEquals(frames + 1, status.getLong("next_seq"));
        assertTrue(edge.get("/tasks/" + task + "/events?until=end&from_seq=" + frames)
                .body()
                .contains("\"type\":\"task_cleared\""));
        assertEquals(410, edge.get("/tasks/" + task + "/output/stdout").statusCode());
        assertEquals(200, edge.get("/tasks/" + stays + "/output/stdout").statusCode());
    }

    @Test
    void runningPinnedAndUnknownTasksAreNotRemoved() {
        String task = edge.spawn("sleep 600", "pty");
        HttpResponse<String> refused = remove(task);
        assertEquals(409, refused.statusCode());
        assertTrue(refused.body().contains("only one that has ended is cleared"), refused::body);
        assertEquals(204, ask("PUT", task + "/pin").statusCode());
        edge.post("/tasks/" + task + "/cancel", "{}");
        edge.ended(task);
        HttpResponse<String> pinned = remove(task);
        assertEquals(409, pinned.statusCode());
        assertTrue(pinned.body().contains("is pinned"), pinned::body);
        assertFalse(listed().isEmpty());
        assertEquals(404, remove("nobody").statusCode());
    }

    private HttpResponse<String> remove(String task) {
        return ask("DELETE", task);
    }

    private HttpResponse<String> ask(String method, String path) {
        return edge.send(edge.to("/tasks/" + path)
                .method(method, BodyPublishers.noBody())
                .build());
    }

    private List<String> listed() {
        return listed("");
    }

    private List<String> listed(String query) {
        return new JsonArray(edge.get("/tasks" + query).body())
                .stream().map(row -> ((JsonObject) row).getString("task_id")).toList();
    }
}
