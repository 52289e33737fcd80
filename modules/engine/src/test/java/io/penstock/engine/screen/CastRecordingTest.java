package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Limits;
import io.penstock.terminal.Emulator;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class CastRecordingTest extends OnScreenGround {

    @Test
    void playerEndsWithTheScreenOfTheTask() {
        // Print the bytes of a character one by one, so that it is split between frames.
        String task = ground.spawn(
                10,
                40,
                "/bin/bash",
                "-c",
                "echo ready; read a; printf '\\xe6'; sleep 0.05; printf '\\xbc'; sleep 0.05; printf '\\xa2 \\e[1mbold\\xff\\n'; seq 50; exit 3");
        ground.untilText(task, "ready");
        ground.resize(task, 12, 50);
        ground.type(task, "typed\n");
        ground.frames(task);
        ScreenSnapshot end = await(ground.screens.now(task, () -> false));
        for (CastFormat format : CastFormat.values()) {
            List<String> lines = lines(task, format, false);
            assertEquals(end.screen(), played(lines, format).state());
        }
    }

    @Test
    void timesCountFromThePreviousEventOrFromTheStart() {
        String task = ground.spawn(5, 30, "/bin/bash", "-c", "echo one; sleep 0.3; echo two; sleep 0.2; exit 3");
        ground.frames(task);
        List<String> third = lines(task, CastFormat.V3, false);
        JsonObject header = new JsonObject(third.getFirst());
        assertEquals(3, header.getInteger("version"));
        assertEquals(30, header.getJsonObject("term").getInteger("cols"));
        assertEquals("a test", header.getString("title"));
        assertEquals("xterm-256color", header.getJsonObject("env").getString("TERM"));
        JsonArray last = new JsonArray(third.getLast());
        assertEquals("x", last.getString(1));
        assertEquals("3", last.getString(2));

        double sum = third.stream()
                .skip(1)
                .mapToDouble(line -> new JsonArray(line).getDouble(0))
                .sum();
        List<String> second = lines(task, CastFormat.V2, false);
        assertEquals(2, new JsonObject(second.getFirst()).getInteger("version"));
        double atTheEnd = new JsonArray(second.getLast()).getDouble(0);
        assertTrue(atTheEnd >= 0.3 && sum >= atTheEnd, sum + " in all, and the last at " + atTheEnd);
        assertTrue(new JsonArray(second.getLast()).getString(2).contains("two"));
        assertTrue(second.stream().noneMatch(line -> line.contains("\"x\"")));
    }

    @Test
    void recordingIncludesTypedInputOnlyOnRequest() {
        String task =
                ground.spawn(5, 30, "/bin/bash", "-c", "stty -echo; echo ready; read a; stty echo; echo again; read b");
        ground.untilText(task, "ready");
        ground.type(task, "secret\n");
        ground.untilText(task, "again");
        ground.type(task, "plain\n");
        ground.frames(task);
        assertFalse(lines(task, CastFormat.V3, false).stream().anyMatch(line -> line.contains("\"i\"")));
        assertTrue(lines(task, CastFormat.V3, true).stream().anyMatch(line -> line.contains("\"i\", \"plain\\n\"")));
    }

    @Test
    void longRecordingComesInPieces() {
        String task = ground.spawn(24, 80, "/bin/bash", "-c", "seq 200000");
        ground.frames(task);
        CastRecording cast = await(ground.screens.recording(task, CastFormat.V3, false));
        long all = 0;
        while (true) {
            Buffer piece = await(cast.next());
            if (piece.length() == 0) {
                break;
            }
            assertTrue(piece.length() < 256 * 1024, "a piece of " + piece.length() + " bytes");
            all += piece.length();
        }
        assertTrue(all > 1_500_000, all + " bytes");
    }

    private List<String> lines(String task, CastFormat format, boolean withInput) {
        ground.frames(task);
        CastRecording cast = await(ground.screens.recording(task, format, withInput));
        Buffer all = Buffer.buffer();
        while (true) {
            Buffer piece = await(cast.next());
            if (piece.length() == 0) {
                return new ArrayList<>(all.toString().lines().toList());
            }
            all.appendBuffer(piece);
        }
    }

    private static Emulator played(List<String> lines, CastFormat format) {
        JsonObject header = new JsonObject(lines.getFirst());
        JsonObject size = format == CastFormat.V3 ? header.getJsonObject("term") : header;
        var terminal = new Emulator(
                Objects.requireNonNull(size.getInteger(format == CastFormat.V3 ? "rows" : "height")),
                Objects.requireNonNull(size.getInteger(format == CastFormat.V3 ? "cols" : "width")),
                Limits.SCREEN_HISTORY_LINES);
        for (String line : lines.subList(1, lines.size())) {
            JsonArray event = new JsonArray(line);
            String data = event.getString(2);
            switch (event.getString(1)) {
                case "o" -> terminal.write(data.getBytes(StandardCharsets.UTF_8));
                case "r" -> {
                    int x = data.indexOf('x');
                    terminal.resize(Integer.parseInt(data.substring(x + 1)), Integer.parseInt(data.substring(0, x)));
                }
                default -> {}
            }
        }
        return terminal;
    }
}
