package io.penstock.server.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The screen at seq N stays the same after the server that rendered it is gone. */
@Tag("server")
class ScreenAtSeqRestartTest {

    /** Each part waits for a line before the next, so that each has its own frames. */
    private static final String PROGRAM =
            "stty -echo; printf 'one\\n'; read a; printf '\\e[31mtwo\\e[m\\n'; read a; printf '\\e[?1049h\\e[Hthree'; read a;"
                    + " printf '\\e[?1049l'; read a; seq 30";

    private final Path folder = ServerProcess.folder();
    private final Path data = folder.resolve("data");

    @AfterEach
    void deleteFolder() {
        ServerProcess.delete(folder);
    }

    @Test
    void everyScreenIsTheSameAfterARestart() throws Exception {
        String task;
        List<JsonObject> before;
        try (var server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            JsonObject spawn = TaskClient.terminal(PROGRAM);
            spawn.getJsonObject("args").put("rows", 6).put("cols", 20);
            task = client.spawn(spawn);
            for (String part : List.of("one", "two", "three", "1049l")) {
                client.untilShown(task, part);
                client.type(task, "\n");
            }
            client.ended(task);
            before = screens(client, task);
            server.signal("KILL");
        }
        var texts = new ArrayList<String>();
        for (JsonObject screen : before) {
            String text = text(screen);
            if (texts.isEmpty() || !texts.getLast().equals(text)) {
                texts.add(text);
            }
        }
        // The lines of the last part arrive in one piece or in several.
        assertEquals(List.of("", "one", "one/two", "three", "one/two"), texts.subList(0, 5));
        assertEquals("26/27/28/29/30", texts.getLast());
        try (var server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            assertEquals(before, screens(client, task));
        }
    }

    private static String text(JsonObject screen) {
        JsonArray lines = screen.getJsonArray("lines");
        var text = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.getJsonObject(i).getString("text");
            if (!line.isEmpty()) {
                text.add(line);
            }
        }
        return String.join("/", text);
    }

    private static List<JsonObject> screens(TaskClient client, String task) {
        int next = client.status(task).getInteger("next_seq");
        var screens = new ArrayList<JsonObject>();
        for (int seq = 0; seq < next; seq++) {
            screens.add(new JsonObject(
                    client.get("/tasks/" + task + "/screen?screen_at=" + seq).body()));
        }
        return screens;
    }
}
