package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** For tests of misbehaving viewers: the task always lives, and others always see it. */
abstract class OneLivingTask extends OneServer {

    String task = "";

    @BeforeEach
    void spawn() {
        task = client.spawn(
                TaskClient.terminal("stty -echo; echo ready; while read line; do echo \"got $line\"; done; echo over"));
        client.untilShown(task, "ready");
    }

    /** Everything still works. */
    @AfterEach
    void taskLivesAndOthersSeeIt() {
        try (Attached other = Attached.json(server, task, "screen=10")) {
            other.until("attach_caught_up");
            assertEquals(202, client.type(task, "still here\n").statusCode());
            other.until(object -> object.getString("chunk", "").contains("got still here"));
        }
        assertEquals(202, client.type(task, "\u0004").statusCode());
        client.ended(task);
    }

    BareSocket json(String query) throws IOException {
        return new BareSocket(server, "/tasks/" + task + "/attach?" + query, "penstock.v1.json");
    }

    static String typed(int op, String text) {
        return "{\"type\":\"stdin\",\"op\":" + op + ",\"text\":\"" + text + "\\n\"}";
    }
}
