package io.penstock.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.server.ws.AttachTestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new edge takes what all edges share: readers of requests, commands, errors, and the session that follows a task. */
class LineEdgeTest {

    private AttachTestBed bed;
    private NetServer server;
    private Socket socket;
    private BufferedReader lines;

    @BeforeEach
    void connect(@TempDir Path folder) throws IOException {
        bed = new AttachTestBed(folder);
        server = AttachTestBed.await(LineEdge.listen(bed.vertx, bed.tasks, Actor.user("liner")));
        socket = new Socket("127.0.0.1", server.actualPort());
        socket.setSoTimeout(20_000);
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterEach
    void disconnect() throws IOException {
        socket.close();
        bed.close();
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
        assertEquals("INVALID_REQUEST", code(command("resize", bed.task, ",\"rows\":0,\"cols\":1")));
        assertEquals("TASK_NOT_FOUND", code(command("state", "nobody", "")));
        assertEquals("running", answer(command("state", bed.task, "")).getString("status"));
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
