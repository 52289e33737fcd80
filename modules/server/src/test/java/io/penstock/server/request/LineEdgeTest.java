package io.penstock.server.request;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.server.ws.ServedTask;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A new edge uses the shared parts: readers of requests, commands, errors, and the session that follows a task. */
@ExtendWith(VertxExtension.class)
class LineEdgeTest {

    private ServedTask served;
    private NetServer server;
    private Socket socket;
    private BufferedReader lines;

    @BeforeEach
    void connect(TestBed bed) throws IOException {
        served = bed.add(new ServedTask(bed.folder()));
        server = await(LineEdge.listen(served.vertx, served.tasks, Actor.user("liner")));
        socket = new Socket("127.0.0.1", server.actualPort());
        socket.setSoTimeout(20_000);
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
    }

    @Test
    void terminalIsSpawnedTypedAtFollowedAndCancelled() throws IOException {
        String task = answer("""
                {"id":"1","type":"spawn","task":{"tool":"bash","execution_mode":"pty",\
                "args":{"command":"read line; echo got $line; exec sleep 100"}}}""").getString("task_id");
        assertTrue(answer(command("stdin", task, ",\"text\":\"hello\\r\"")).getLong("seq") > 0);
        send(command("follow", task, ""));
        until(line -> line.getString("chunk", "").contains("got hello"));
        send(command("cancel", task, ",\"reason\":\"enough\""));
        JsonObject end = until(line -> "cancelled".equals(line.getString("status")));
        assertEquals(task, end.getString("task_id"));
        assertEquals(
                task,
                answer("{\"type\":\"list\",\"status\":\"cancelled\"}")
                        .getJsonArray("tasks")
                        .getJsonObject(0)
                        .getString("task_id"));
    }

    @Test
    void badLinesGetTheErrorsOfEveryEdge() throws IOException {
        assertEquals("INVALID_REQUEST", code("no JSON"));
        assertEquals("INVALID_REQUEST", code("{\"type\":\"dance\",\"task_id\":\"x\"}"));
        assertEquals("INVALID_REQUEST", code(command("resize", served.task, ",\"rows\":0,\"cols\":1")));
        assertEquals("TASK_NOT_FOUND", code(command("state", "nobody", "")));
        assertEquals("running", answer(command("state", served.task, "")).getString("status"));
    }

    private String code(String line) throws IOException {
        return answer(line).getJsonObject("error").getString("code");
    }

    private static String command(String type, String task, String more) {
        return "{\"id\":\"7\",\"type\":\"" + type + "\",\"task_id\":\"" + task + "\"" + more + "}";
    }

    private void send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private JsonObject answer(String line) throws IOException {
        send(line);
        return until(any -> true);
    }

    private JsonObject until(Predicate<JsonObject> last) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            var object = new JsonObject(line);
            if (last.test(object)) {
                return object;
            }
        }
        throw new AssertionError("The connection was closed");
    }
}
