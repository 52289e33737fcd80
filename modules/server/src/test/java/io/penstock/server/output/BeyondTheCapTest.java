package io.penstock.server.output;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output beyond the cap is not stored, but shown to all live followers. */
class BeyondTheCapTest extends OneServer {

    private String spawn(JsonObject task) {
        task.getJsonObject("args").put("artifact_max_bytes", 10).put("keep", "head");
        return client.spawn(task);
    }

    private String terminal() {
        return spawn(TaskClient.terminal("stty -echo; echo a line beyond its cap; while read x; do echo got $x; done"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"penstock.v1.json", "penstock.v1.binary", ""})
    void viewerSeesTheAnswerToWhatIsTyped(String subprotocol) {
        String task = terminal();
        try (var viewer =
                new Attached(server, "/tasks/" + task + "/attach", subprotocol.isEmpty() ? null : subprotocol)) {
            viewer.untilText("beyond its cap");
            client.type(task, "first\r");
            viewer.untilText("got first");
        }
        cancel(task);
    }

    @Test
    void outputThatIsNotSentDoesNotFillTheAckWindow() {
        String task = spawn(TaskClient.bash("seq 1 300000"));
        client.ended(task);
        try (Attached viewer = Attached.json(server, task, "from_seq=0")) {
            // Acknowledges once, so that the window counts, and never again.
            viewer.say(new JsonObject().put("type", "parsed").put("next_seq", 0));
            viewer.until(object -> "ended".equals(object.getString("phase")));
        }
    }

    @Test
    void lastWordsOfAPipeAreSeenAndNotKept() throws IOException {
        Path go = data.resolve("go-beyond-the-cap");
        String task = spawn(
                TaskClient.bash("echo 0123456789abc; until [ -e " + go + " ]; do sleep 0.05; done; echo last words"));
        try (Attached viewer = Attached.json(server, task, "")) {
            viewer.until(object -> object.getString("chunk", "").contains("0123456789abc"));
            Files.createFile(go);
            viewer.until(object -> object.getString("chunk", "").equals("last words\n"));
        }
        JsonObject stdout = client.ended(task)
                .getJsonObject("artifacts")
                .getJsonObject("logs")
                .getJsonObject("stdout");
        assertEquals(10, stdout.getInteger("bytes_stored"));
        assertEquals("0123456789", new String(client.artifact(stdout.getString("id"), "bytes=0-"), US_ASCII));
        // History is the same for all later readers.
        assertEquals("0123456789", text(client.events(task)));
    }

    @Test
    void screenGoesOn() {
        String task = terminal();
        client.untilShown(task, "beyond its cap");
        client.type(task, "first\r");
        client.untilShown(task, "got first");
        JsonObject screen =
                new JsonObject(client.get("/tasks/" + task + "/screen").body());
        assertTrue(screen.encode().contains("got first"), screen::encode);
        assertEquals(false, screen.getBoolean("whole"));
        cancel(task);
    }

    private void cancel(String task) {
        client.post("/tasks/" + task + "/cancel", new JsonObject());
        client.ended(task);
    }

    private static String text(List<JsonObject> frames) {
        var text = new StringBuilder();
        TaskClient.ofType(frames, "tool_task_output_delta").forEach(delta -> text.append(delta.getString("chunk")));
        return text.toString();
    }
}
