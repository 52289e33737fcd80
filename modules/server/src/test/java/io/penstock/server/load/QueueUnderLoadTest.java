package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The short form of {@code ./penstock soak queue}: a long queue with a quota of 50, and a server that is killed
 * meanwhile.
 */
@Tag("server")
class QueueUnderLoadTest {

    private static final int TASKS = 300;
    private static final int RUNNING = 50;

    private final Path data = ServerProcess.folder();
    private final Path workspace = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
        ServerProcess.delete(workspace);
    }

    private ServerProcess start() {
        return ServerProcess.ready(
                data,
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                workspace.toString(),
                "--max-running",
                Integer.toString(RUNNING));
    }

    /** As many tasks as run at once hold up those behind them, so that there are some when the server is killed. */
    private static String gate(int task) {
        int first = TASKS / 3 * 2;
        return task >= first && task < first + RUNNING ? "until [ -e open ]; do sleep 0.1; done; " : "";
    }

    @Test
    void aLongQueueRunsOnceThoughTheServerIsKilledMeanwhile() throws Exception {
        var tasks = new ArrayList<String>();
        Path ran = workspace.resolve("ran");
        try (ServerProcess server = start();
                TaskClient client = new TaskClient(server)) {
            for (int i = 0; i < RUNNING; i++) {
                client.spawn(TaskClient.bash("exec sleep 600"));
            }
            for (int i = 0; i < TASKS; i++) {
                tasks.add(client.spawn(TaskClient.bash(gate(i) + "echo " + i + " >> ran")));
            }
            kill(server);
        }
        assertTrue(Files.notExists(ran));
        try (ServerProcess server = start();
                TaskClient client = new TaskClient(server)) {
            client.ended(tasks.get(TASKS / 3));
            kill(server);
        }
        long before = Files.readAllLines(ran).size();
        assertTrue(before < TASKS, "all had run before the kill");
        Files.createFile(workspace.resolve("open"));
        int exited = 0;
        int lost = 0;
        try (ServerProcess server = start();
                TaskClient client = new TaskClient(server)) {
            for (int i = 0; i < TASKS; i++) {
                JsonObject end = client.ended(tasks.get(i));
                List<JsonObject> frames = client.events(tasks.get(i));
                List<JsonObject> turn = frames.stream()
                        .filter(frame -> "quota".equals(frame.getString("cause")))
                        .toList();
                assertEquals(1, turn.size(), frames::toString);
                switch (end.getString("outcome")) {
                    case "succeeded" -> exited++;
                    case "lost" -> lost++;
                    default -> throw new AssertionError(end.encode());
                }
            }
        }
        assertTrue(lost <= RUNNING, lost + " are lost, more than ran");
        var times = new HashMap<String, Integer>();
        List<String> lines = Files.readAllLines(ran);
        lines.forEach(line -> times.merge(line, 1, Integer::sum));
        assertEquals(lines.size(), times.size(), "some ran twice");
        assertTrue(lines.size() >= exited && lines.size() <= exited + lost, lines.size() + " ran");
    }

    private static void kill(ServerProcess server) throws Exception {
        List<ProcessHandle> postgres = server.handle()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("postgres"))
                .toList();
        server.signal("KILL");
        server.exitCode();
        for (ProcessHandle one : postgres) {
            one.onExit().get(30, TimeUnit.SECONDS);
        }
    }
}
