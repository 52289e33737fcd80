package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteReader;
import io.penstock.frames.Limits;
import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.ScreenState;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * After each catch-up and at the end, every viewer sees the same screen as a viewer that received
 * everything.
 */
@Tag("SEAMLESS")
class JumpLawTest extends OneServer {

    /**
     * For each line that it reads, it writes: either more lines than a slow viewer keeps up with, or all over the
     * screen.
     */
    private static final String BURSTS = """
            stty -echo; n=0; echo ready
            while read line; do
              n=$((n + 1))
              if [ $((n % 3)) = 0 ]; then seq $((n * 100000)) $((n * 100000 + 400000))
              else awk -v s=$n 'BEGIN { srand(s); for (i = 0; i < 6000; i++)
                printf "\\033[%d;%dH\\033[%dm%d\\346\\274\\242 ", rand() * 30, rand() * 100, 30 + rand() * 8, i }'
              fi
              sleep 0.3; echo; echo burst $n is over
            done
            """;

    private static final int BURST_COUNT = 6;

    @Test
    void eachCatchUpAndTheEndShowTheScreenOfAFullViewer() throws Exception {
        int catchUps = 0;
        for (long seed = 1; seed <= 2; seed++) {
            var random = new Random(seed);
            JsonObject spec = TaskClient.terminal(BURSTS);
            spec.getJsonObject("args").put("artifact_max_bytes", 1L << 30);
            String task = client.spawn(spec);
            client.untilShown(task, "ready");
            var viewers = List.of(
                    begun(task, "from_seq=0&behind=screen", seed),
                    begun(task, "from_seq=0", seed + 100),
                    begun(task, "screen=1000&behind=screen", seed + 200));
            long seq = 0;
            for (int i = 1; i <= BURST_COUNT; i++) {
                for (Seen viewer : viewers) {
                    if (random.nextInt(3) == 0) {
                        viewer.say("{\"type\":\"shown\"}");
                    }
                }
                if (random.nextInt(2) == 0) {
                    client.post(
                            "/tasks/" + task + "/resize",
                            new JsonObject().put("rows", 5 + random.nextInt(40)).put("cols", 20 + random.nextInt(100)));
                }
                assertEquals(202, client.type(task, "\n").statusCode());
                seq = client.untilShown(task, seq, "burst " + i + " is over")
                        .getLast()
                        .getLong("seq");
            }
            client.type(task, "\u0004");
            client.ended(task);
            for (Seen viewer : viewers) {
                viewer.closed.get(120, TimeUnit.SECONDS);
            }
            catchUps += compared(task, viewers, seed);
        }
        assertTrue(catchUps > 2, "only " + catchUps + " catch-ups");
    }

    /** Prints the number of catch-ups. */
    private int compared(String task, List<Seen> seen, long seed) {
        byte[] output = client.artifact(task + ".pty", "bytes=0-");
        var all = new Emulator(24, 80, Limits.SCREEN_HISTORY_LINES);
        int catchUps = 0;
        for (JsonObject frame : client.events(task)) {
            switch (frame.getString("type")) {
                case "tool_task_output_delta" -> {
                    JsonObject log = frame.getJsonObject("artifacts").getJsonObject("log");
                    int from = log.getInteger("offset_bytes");
                    all.write(output, from, from + log.getInteger("bytes"));
                }
                case "tool_task_resized" -> all.resize(frame.getInteger("rows"), frame.getInteger("cols"));
                default -> {}
            }
            long nextSeq = frame.getLong("seq") + 1;
            for (Seen viewer : seen) {
                for (CaughtUp caughtUp : viewer.catchUps) {
                    if (caughtUp.nextSeq() == nextSeq) {
                        assertEquals(all.state(), caughtUp.screen(), "after " + nextSeq + " with seed " + seed);
                        catchUps++;
                    }
                }
            }
        }
        for (Seen viewer : seen) {
            assertEquals(all.state(), viewer.terminal.state(), "at the end with seed " + seed);
        }
        return catchUps;
    }

    private record CaughtUp(long nextSeq, ScreenState screen) {}

    private Seen begun(String task, String query, long seed) throws IOException {
        var socket = new BareSocket(server, "/tasks/" + task + "/attach?" + query, "penstock.v1.binary").open();
        var seen = new Seen(socket, new Random(seed));
        Thread.ofPlatform().start(() -> {
            try (socket) {
                seen.watch();
                seen.closed.complete(null);
            } catch (IOException | RuntimeException | AssertionError e) {
                seen.closed.completeExceptionally(e);
            }
        });
        return seen;
    }

    /** A terminal of a viewer that is hidden and slow at random. */
    private static final class Seen {
        private final BareSocket socket;
        private final Random random;
        private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
        final List<CaughtUp> catchUps = new ArrayList<>();
        final CompletableFuture<Void> closed = new CompletableFuture<>();
        Emulator terminal = new Emulator(24, 80, Limits.SCREEN_HISTORY_LINES);
        private long nextSeq;

        Seen(BareSocket socket, Random random) {
            this.socket = socket;
            this.random = random;
        }

        void watch() throws IOException {
            say("{\"type\":\"parsed\",\"next_seq\":0}");
            for (BareSocket.Message message = socket.next();
                    message.opcode() != BareSocket.CLOSE;
                    message = socket.next()) {
                if (message.opcode() != BareSocket.PING) {
                    take(new ByteReader(message.bytes()));
                }
                act();
            }
        }

        private void act() throws IOException {
            switch (random.nextInt(40)) {
                case 0 -> say("{\"type\":\"hidden\"}");
                case 1, 2 -> say("{\"type\":\"shown\"}");
                default -> {}
            }
            // It may acknowledge late, but not never: a paused viewer gets nothing more that it could acknowledge.
            if (socket.isQuiet() || random.nextInt(3) == 0) {
                say("{\"type\":\"parsed\",\"next_seq\":" + nextSeq + "}");
            }
        }

        void say(String object) throws IOException {
            socket.send(object);
        }

        private void take(ByteReader message) {
            while (message.hasMore()) {
                int kind = message.readByte();
                var entry = new ByteReader(message.readBytes());
                switch (kind) {
                    case 1 -> {
                        nextSeq = entry.readNumber();
                        entry.readByte();
                        entry.readNumber();
                        terminal.write(entry.readRest());
                    }
                    case 2 -> frame(new JsonObject(new String(entry.readRest(), StandardCharsets.UTF_8)));
                    case 4 -> screen(entry);
                    default -> {}
                }
            }
        }

        private void frame(JsonObject frame) {
            nextSeq = frame.getLong("seq") + 1;
            if (frame.getString("type").equals("tool_task_resized")) {
                terminal.resize(frame.getInteger("rows"), frame.getInteger("cols"));
            }
        }

        private void screen(ByteReader entry) {
            nextSeq = entry.readNumber();
            int rows = entry.readSmallNumber();
            int cols = entry.readSmallNumber();
            long left = entry.readNumber();
            screen.writeBytes(entry.readRest());
            if (left == 0) {
                terminal = new Emulator(rows, cols, Limits.SCREEN_HISTORY_LINES);
                terminal.write(screen.toByteArray());
                screen.reset();
                catchUps.add(new CaughtUp(nextSeq, terminal.state()));
            }
        }
    }
}
