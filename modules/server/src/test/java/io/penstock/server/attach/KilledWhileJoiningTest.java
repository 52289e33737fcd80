package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.ansi.AnsiScreen;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * kill -9 of the server while viewers receive history and screens, and while keyframes are written: a viewer that
 * reconnects sees everything once.
 */
@Tag("server")
class KilledWhileJoiningTest {

    private static final int KILLS = 2;

    /** Coloured lines, a few MB/s: a keyframe about every third of a second. */
    private static final String WRITES =
            "stty -echo; i=0; while :; do seq -f $'\\e[3'$((i % 7))$'m line %g \\e[m of those that are written' $((i += 1000)) $((i + 999));"
                    + " sleep 0.01; done";

    private final Path data = ServerProcess.folder();
    private final Random random = new Random(11);

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    /** A viewer that was attached when the server was killed. */
    private static final class Watcher {
        final List<JsonObject> frames = new ArrayList<>();
        final CountDownLatch begun = new CountDownLatch(20);
        final String task;

        Watcher(String task) {
            this.task = task;
        }

        long nextSeq() {
            return frames.isEmpty() ? 0 : frames.getLast().getLong("seq") + 1;
        }

        void see(JsonObject object) {
            if (AttachTest.isFrame(object)) {
                assertEquals(nextSeq(), object.getLong("seq"));
                frames.add(object);
                begun.countDown();
            }
        }

        /** Until the server is gone, or the task's end is shown. */
        void watch(ServerProcess server) {
            try (var viewer = joined(server, task, "from_seq=" + nextSeq())) {
                for (BareSocket.Message message = viewer.next();
                        message.opcode() != BareSocket.CLOSE;
                        message = viewer.next()) {
                    if (message.opcode() == BareSocket.TEXT) {
                        message.text().lines().map(JsonObject::new).forEach(this::see);
                    }
                }
            } catch (IOException itIsGone) {
                // Everything seen until then counts.
            }
        }
    }

    private static BareSocket joined(ServerProcess server, String task, String query) throws IOException {
        return new BareSocket(server, "/tasks/" + task + "/attach?" + query, "penstock.v1.json").open();
    }

    @Test
    void reconnectingViewerSeesEverythingOnce() throws Exception {
        var before = new ArrayList<Watcher>();
        for (int kill = 0; kill <= KILLS; kill++) {
            try (var server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                    var client = new TaskClient(server)) {
                for (Watcher watcher : before) {
                    comesBack(server, client, watcher);
                }
                if (kill < KILLS) {
                    before.clear();
                    watchUntilKilled(server, client, before);
                }
            }
            for (Watcher watcher : before.subList(0, before.size() / 2)) {
                cutKeyframes(watcher.task);
            }
        }
    }

    private void comesBack(ServerProcess server, TaskClient client, Watcher watcher) throws IOException {
        watcher.watch(server);
        List<JsonObject> events = client.events(watcher.task);
        assertEquals(events, watcher.frames);
        assertEquals("lost", events.getLast().getString("outcome"));
        for (long seq : new long[] {events.size() - 1, random.nextInt(10, events.size())}) {
            assertEquals(screen(client, events, seq), shown(client, watcher.task, seq), "the screen at " + seq);
        }
        String now = joinedScreen(server, watcher.task, events.size());
        assertEquals(screen(client, events, events.size() - 1), now, "the screen of a new viewer");
    }

    /** From the bytes alone, and the terminal's constant size. */
    private static String screen(TaskClient client, List<JsonObject> events, long seq) {
        long bytes = events.subList(0, (int) seq + 1).stream()
                .filter(frame -> frame.getString("type").equals("tool_task_output_delta"))
                .mapToLong(frame ->
                        frame.getJsonObject("artifacts").getJsonObject("log").getLong("bytes_stored"))
                .max()
                .orElseThrow();
        byte[] written = client.artifact(events.getFirst().getString("task_id") + ".pty", "bytes=0-" + (bytes - 1));
        assertEquals(bytes, written.length);
        var emulator = new Emulator(24, 80, 1000);
        emulator.write(written);
        return new String(AnsiScreen.of(emulator.state()), StandardCharsets.UTF_8);
    }

    private static String shown(TaskClient client, String task, long seq) {
        return client.get("/tasks/" + task + "/screen?format=ansi&scrollback=1000&at_seq=" + seq)
                .body();
    }

    private static String joinedScreen(ServerProcess server, String task, int nextSeq) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var viewer = joined(server, task, "screen=1000")) {
            boolean more = true;
            while (more) {
                // One message may have several parts.
                for (String line : viewer.until("attach_screen")) {
                    var part = new JsonObject(line);
                    if (part.getString("type").equals("attach_screen")) {
                        assertEquals(nextSeq - 1, part.getInteger("seq"));
                        bytes.writeBytes(Base64.getDecoder().decode(part.getString("ansi_b64")));
                        more = part.getBoolean("more");
                    }
                }
            }
        }
        // After its initial reset.
        return bytes.toString(StandardCharsets.UTF_8).substring(2);
    }

    /** Some are reading history, some are live, and one requests screens endlessly; keyframes are being written. */
    private void watchUntilKilled(ServerProcess server, TaskClient client, List<Watcher> watching) throws Exception {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            JsonObject writes = TaskClient.terminal(WRITES);
            writes.getJsonObject("args").put("artifact_max_bytes", 1 << 30);
            String task = client.spawn(writes);
            watch(server, task, watching, threads);
            threads.add(Thread.ofVirtual().start(() -> joinScreens(server, task)));
        }
        for (Watcher watcher : List.copyOf(watching)) {
            awaitKeyframes(client, watcher.task);
            watch(server, watcher.task, watching, threads);
        }
        watching.getLast().begun.await();
        server.signal("KILL");
        server.exitCode();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void watch(ServerProcess server, String task, List<Watcher> watching, List<Thread> threads) {
        var watcher = new Watcher(task);
        watching.add(watcher);
        threads.add(Thread.ofVirtual().start(() -> watcher.watch(server)));
    }

    private static void joinScreens(ServerProcess server, String task) {
        try {
            while (true) {
                try (var viewer = joined(server, task, "screen=1000")) {
                    viewer.until("attach_caught_up");
                }
            }
        } catch (IOException itIsGone) {
            // This is the condition awaited.
        }
    }

    private void awaitKeyframes(TaskClient client, String task) throws IOException {
        while (!Files.exists(keyframes(task)) || Files.size(keyframes(task)) == 0) {
            assertNotEquals("ended", client.status(task).getString("phase"));
        }
    }

    private Path keyframes(String task) throws IOException {
        try (Stream<Path> folders = Files.list(data.resolve("artifacts"))) {
            return folders.filter(Files::isDirectory)
                    .map(folder -> folder.resolve(task + ".pty.screens"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElse(data.resolve("none"));
        }
    }

    /** As if the server had been killed while writing the last one. */
    private void cutKeyframes(String task) throws IOException {
        try (var file = new RandomAccessFile(keyframes(task).toFile(), "rw")) {
            file.setLength(file.length() - random.nextInt(1, 2000));
        }
    }
}
