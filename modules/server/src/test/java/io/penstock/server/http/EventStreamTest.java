package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A task's frames as server-sent events: no gap, no double, from wherever one begins. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class EventStreamTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void resumedStreamEqualsTheWholeStream() {
        // Characters split across writes and so across frames; every frame must show the same wherever one begins.
        String task = edge.spawn(
                new JsonObject()
                        .put("tool", "bash")
                        .put("execution_mode", "pipes")
                        .put("stdin", "open")
                        .put(
                                "args",
                                new JsonObject()
                                        .put(
                                                "command",
                                                "for i in 1 2 3 4 5; do printf '\\303'; read x; printf '\\274%s\\n' $i; read x; done")));
        // The test lets the program continue when its last bytes are in a frame: one, and then three.
        for (int bytes = 1; bytes <= 20; bytes += bytes % 4 == 0 ? 1 : 3) {
            long written = bytes;
            await(edge.tasks()
                    .awaitState(task, state -> state.output().stdoutTotal() == written, 30_000)
                    .state());
            await(edge.tasks().apply(new TaskCommand.WriteInput(task, new byte[] {'\n'}, Actor.user("tester"))));
        }
        List<RunningEdge.Event> whole = edge.events("/tasks/" + task + "/events?until=end");
        assertEquals(
                LongStream.range(0, whole.size()).boxed().toList(),
                whole.stream().map(RunningEdge.Event::id).toList());
        for (RunningEdge.Event event : whole) {
            assertEquals(event.id(), event.frame().getLong("seq"));
        }
        assertEquals(List.of("ü1\nü2\nü3\nü4\nü5\n"), List.of(textOf(whole)));
        assertEquals(
                10,
                whole.stream()
                        .filter(event -> event.frame().getString("type").equals("tool_task_output_delta"))
                        .count());
        for (int from = 0; from <= whole.size(); from++) {
            List<RunningEdge.Event> rest = whole.subList(from, whole.size());
            assertEquals(rest, edge.events("/tasks/" + task + "/events?until=end&from_seq=" + from));
            if (from > 0) {
                assertEquals(
                        rest,
                        edge.events(edge.to("/tasks/" + task + "/events?until=end&from_seq=0")
                                .header("last-event-id", Integer.toString(from - 1))));
            }
        }
    }

    @Test
    void lateJoinerSeesHistoryThenLiveEvents() {
        String task = edge.spawn("echo first; read line; echo got $line; echo last", "pty");
        edge.await(task, "\"chunk\":\"first");
        var watching = new ArrayList<Thread>();
        List<List<RunningEdge.Event>> seen = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            watching.add(
                    Thread.startVirtualThread(() -> seen.add(edge.events("/tasks/" + task + "/events?until=end"))));
        }
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"aGkN\"}")
                        .statusCode());
        watching.forEach(EventStreamTest::join);
        List<RunningEdge.Event> whole = edge.events("/tasks/" + task + "/events?until=end");
        assertTrue(textOf(whole).contains("got hi"));
        assertEquals(List.of(whole, whole, whole, whole), seen);
    }

    @Test
    void streamStaysOpenAfterTheEndUnlessClosingIsAsked() throws IOException {
        String task = edge.spawn("true", "pipes");
        edge.ended(task);
        try (Socket socket = request(task, "", 0)) {
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = lines.readLine();
            while (!line.contains("\"ended_at_ms\":1")) {
                line = lines.readLine();
            }
            // The end of its event and of the chunk that it came in; then nothing, but no end either.
            socket.setSoTimeout(300);
            try {
                while (lines.readLine() != null) {
                    // Of any type.
                }
                throw new AssertionError("the stream was closed");
            } catch (java.net.SocketTimeoutException stillOpen) {
                assertTrue(socket.isConnected());
            }
        }
    }

    @Test
    void slowViewerBlocksNobodyAndLosesNothing() throws IOException {
        // More than all buffers between the two take: as JSON, a NUL has six characters.
        String task = edge.spawn("sleep 0.3; head -c 4000000 /dev/zero; echo done", "pipes");
        try (Socket slow = request(task, "?until=end&text=full", 4096)) {
            List<RunningEdge.Event> fast = edge.events("/tasks/" + task + "/events?until=end&text=full");
            JsonObject status = edge.ended(task);
            assertEquals("exited", status.getString("status"));
            String answer = new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer.substring(0, 20));
            assertTrue(answer.length() > 10_000_000, answer.length() + " bytes");
            assertEquals(fast, RunningEdge.parse(unchunked(answer)));
        }
    }

    @Test
    void disconnectedViewerIsForgotten() throws IOException {
        String task = edge.spawn("read line; echo \"got $line\"", "pty");
        edge.await(task, "\"status\":\"running\"");
        for (int i = 0; i < 20; i++) {
            try (Socket gone = request(task, "", 0)) {
                assertEquals('H', gone.getInputStream().read());
            }
        }
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"aGkN\"}")
                        .statusCode());
        assertTrue(textOf(edge.events("/tasks/" + task + "/events?until=end")).contains("got hi"));
    }

    /** A viewer that can be as slow as it likes. */
    private Socket request(String task, String query, int receiveBuffer) throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(30_000);
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress("127.0.0.1", edge.port()));
        String request = "GET /tasks/" + task + "/events" + query
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + edge.token
                + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String unchunked(String answer) {
        var body = new StringBuilder();
        int at = answer.indexOf("\r\n\r\n") + 4;
        while (true) {
            int line = answer.indexOf("\r\n", at);
            int length = Integer.parseInt(answer.substring(at, line), 16);
            if (length == 0) {
                return body.toString();
            }
            body.append(answer, line + 2, line + 2 + length);
            at = line + 2 + length + 2;
        }
    }

    private static String textOf(List<RunningEdge.Event> events) {
        var text = new StringBuilder();
        for (RunningEdge.Event event : events) {
            if (event.frame().getString("type").equals("tool_task_output_delta")) {
                text.append(event.frame().getString("chunk"));
            }
        }
        return text.toString();
    }

    private static void join(Thread thread) {
        try {
            assertTrue(thread.join(java.time.Duration.ofSeconds(30)), "still watching");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
