package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.server.ServerProcess;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server with few descriptors refuses new work while it still has some for running tasks. */
@Tag("server")
class FewDescriptorsTest {

    private static final int LIMIT = 256;

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void whatIsRefusedIsSaidAndWhatIsAcceptedRuns() throws Exception {
        try (ServerProcess server = ServerProcess.readyWithDescriptors(LIMIT, data, "--port", "0", "--auth", "off")) {
            Matcher said = Pattern.compile("The system permits at most 256 open files and connections, but ([0-9]+)"
                            + " connections and 512 running tasks may need ([0-9]+); what exceeds the limit is refused."
                            + " Raise it with ulimit -n or LimitNOFILE=\\.")
                    .matcher(String.join("\n", server.saidSoFar()));
            assertTrue(said.find(), () -> server.saidSoFar().toString());
            // They follow its heap.
            int allowed = Integer.parseInt(said.group(1));
            assertTrue(allowed > 0 && allowed < HttpLimits.CONNECTIONS, said::group);
            assertEquals(DescriptorBudget.needed(allowed, 512), Integer.parseInt(said.group(2)));
            var running = new ArrayList<String>();
            int refused = 0;
            for (int i = 0; i < 150; i++) {
                HttpResponse<String> answer = spawn(server, "echo begun; sleep 600");
                if (answer.statusCode() == 201) {
                    running.add(new JsonObject(answer.body()).getString("task_id"));
                } else {
                    assertEquals(429, answer.statusCode(), answer::body);
                    assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
                    assertTrue(answer.body().contains("descriptors is " + LIMIT), answer::body);
                    refused++;
                }
            }
            assertTrue(!running.isEmpty() && refused > 0, running.size() + " run, " + refused + " are refused");
            for (String task : running) {
                var read = new JsonObject(
                        server.get("/tasks/" + task + "/output?wait=20000").body());
                assertEquals("begun\n", read.getString("content"), read::encode);
            }

            var connections = new ArrayList<Socket>();
            for (int i = 0; i < LIMIT; i++) {
                connections.add(connected(server, "GET /tasks HTTP/1.1\r\n"));
            }
            // This client's connection was already open.
            assertEquals(200, server.get("/healthz").statusCode());
            for (String task : running) {
                assertEquals(
                        202, server.post("/tasks/" + task + "/cancel", "{}").statusCode());
                assertEquals(
                        "cancelled",
                        new JsonObject(server.get("/tasks/" + task + "?wait=20000")
                                        .body())
                                .getString("status"));
            }
            for (Socket connection : connections) {
                connection.close();
            }

            HttpResponse<String> again = spawn(server, "echo as before");
            assertEquals(201, again.statusCode(), again::body);
            String task = new JsonObject(again.body()).getString("task_id");
            assertEquals(
                    "exited",
                    new JsonObject(server.get("/tasks/" + task + "?wait=20000").body()).getString("status"));
            assertEquals(List.of(), zombies(server));
            server.signal("TERM");
            assertEquals(143, server.exitCode());
            List<String> log = server.said();
            assertTrue(log.size() < 100, () -> String.join("\n", log));
        }
    }

    @Test
    void aQueuedTaskWhoseTurnComesWaitsForDescriptors() throws Exception {
        try (ServerProcess server =
                ServerProcess.readyWithDescriptors(LIMIT, data, "--port", "0", "--auth", "off", "--max-running", "1")) {
            String running = id(spawn(server, "sleep 600"));
            String waiting = id(spawn(server, "echo had its turn"));
            String next = id(spawn(server, "echo after it"));
            var connections = new ArrayList<Socket>();
            for (int i = 0; i < LIMIT; i++) {
                Socket follower =
                        connected(server, "GET /tasks/" + running + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
                // Until it is answered, its descriptor may not be open yet.
                follower.getInputStream().read();
                connections.add(follower);
            }
            assertEquals(202, server.post("/tasks/" + running + "/cancel", "{}").statusCode());
            assertEquals("cancelled", status(server, running));
            // Spawned, allowed, queued, and then its turn, shortly after the end of the other.
            JsonObject turn = task(server, waiting, "");
            while (turn.getLong("next_seq") < 4) {
                turn = task(server, waiting, "");
            }
            assertEquals("queued", turn.getString("status"));

            for (Socket connection : connections) {
                connection.close();
            }
            assertEquals("exited", status(server, waiting));
            assertEquals("exited", status(server, next));
        }
    }

    /** More connections than descriptors, all at once: accepting some fails for a moment. */
    @Test
    void burstOfConnectionsHurtsNoTaskAndNoFollower() throws Exception {
        try (ServerProcess server =
                ServerProcess.readyWithDescriptors("ulimit -n 1024", data, "--port", "0", "--auth", "off")) {
            Path gate = data.resolve("gate");
            assertEquals(
                    0, new ProcessBuilder("mkfifo", gate.toString()).start().waitFor());
            String task = id(spawn(server, "while read line; do echo got $line; done < " + gate));
            try (BufferedWriter writer = Files.newBufferedWriter(gate);
                    Socket follower =
                            connected(server, "GET /tasks/" + task + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                follower.setSoTimeout(20_000);
                var events =
                        new BufferedReader(new InputStreamReader(follower.getInputStream(), StandardCharsets.UTF_8));
                // Once it is answered, it is no stranger, which would have to leave.
                assertEquals("HTTP/1.1 200 OK", events.readLine());
                for (int round = 0; round < 3; round++) {
                    List<SocketChannel> burst = burst(server, 1_100);
                    writer.write("round " + round + "\n");
                    writer.flush();
                    String line = events.readLine();
                    while (!line.contains("got round " + round)) {
                        line = events.readLine();
                    }
                    assertTrue(answer(server, "GET /healthz").startsWith("HTTP/1.1 200"));
                    for (SocketChannel each : burst) {
                        each.close();
                    }
                    HttpResponse<String> after = spawn(server, "echo after");
                    assertEquals(201, after.statusCode(), after::body);
                    assertEquals("exited", status(server, id(after)));
                }
            }
            assertEquals("exited", status(server, task));
            Files.delete(gate);
            server.signal("TERM");
            assertEquals(143, server.exitCode());
            List<String> log = server.said();
            assertTrue(log.size() < 100, () -> String.join("\n", log));
        }
    }

    /** Each sends the beginning of a request. */
    private static List<SocketChannel> burst(ServerProcess server, int count) throws IOException {
        URI address = URI.create(server.address());
        var burst = new ArrayList<SocketChannel>();
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(address.getHost(), address.getPort()));
            burst.add(channel);
        }
        for (SocketChannel channel : burst) {
            try {
                channel.finishConnect();
                channel.write(ByteBuffer.wrap("GET /tasks HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII)));
            } catch (IOException refused) {
                // The server has already closed it.
            }
        }
        return burst;
    }

    /** To a request on a connection of its own. */
    private static String answer(ServerProcess server, String request) throws IOException {
        try (Socket socket = connected(server, request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            socket.setSoTimeout(20_000);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String id(HttpResponse<String> spawned) {
        assertEquals(201, spawned.statusCode(), spawned::body);
        return new JsonObject(spawned.body()).getString("task_id");
    }

    private static JsonObject task(ServerProcess server, String task, String query) {
        return new JsonObject(server.get("/tasks/" + task + query).body());
    }

    private static String status(ServerProcess server, String task) {
        return task(server, task, "?wait=20000").getString("status");
    }

    @Test
    void tasksGetTheLimitThatTheServerWasStartedWith() throws Exception {
        assertEquals(List.of("777", "18000"), limitsOfATask("ulimit -Sn 777; ulimit -Hn 18000"));
        // A limit that is high enough is not raised.
        assertEquals(List.of("17000", "18000"), limitsOfATask("ulimit -Sn 17000; ulimit -Hn 18000"));
    }

    private List<String> limitsOfATask(String ulimit) throws Exception {
        try (ServerProcess server = ServerProcess.readyWithDescriptors(ulimit, data, "--port", "0", "--auth", "off")) {
            Path gate = data.resolve("gate");
            assertEquals(
                    0, new ProcessBuilder("mkfifo", gate.toString()).start().waitFor());
            String task = id(spawn(server, "read go < " + gate + "; ulimit -Sn; ulimit -Hn"));
            while (!"running".equals(task(server, task, "").getString("status"))) {
                Thread.onSpinWait();
            }
            Files.writeString(gate, "go\n");
            status(server, task);
            Files.delete(gate);
            assertTrue(server.saidSoFar().stream().noneMatch(line -> line.contains("LimitNOFILE=")));
            return new JsonObject(server.get("/tasks/" + task + "/output").body())
                    .getString("content")
                    .lines()
                    .toList();
        }
    }

    private static HttpResponse<String> spawn(ServerProcess server, String command) {
        return server.post(
                "/tasks",
                new JsonObject()
                        .put("tool", "bash")
                        .put("args", new JsonObject().put("command", command))
                        .encode());
    }

    /** A connection that stays open because its request or answer never ends. */
    private static Socket connected(ServerProcess server, String request) throws IOException {
        URI address = URI.create(server.address());
        var socket = new Socket(address.getHost(), address.getPort());
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            // The server has already closed it.
        }
        return socket;
    }

    private static List<Long> zombies(ServerProcess server) throws IOException {
        try (Stream<ProcessHandle> children = server.handle().children()) {
            return children.map(ProcessHandle::pid)
                    .filter(FewDescriptorsTest::isZombie)
                    .toList();
        }
    }

    private static boolean isZombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }
}
