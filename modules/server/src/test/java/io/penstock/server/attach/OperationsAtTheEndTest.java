package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.OneServer;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An operation at the very end of a task is answered according to the ledger, and no frame follows the end. */
class OperationsAtTheEndTest extends OneServer {

    private static final int ROUNDS = 80;

    /** Sent in one round, after the one that ends the task. */
    private static final int OPERATIONS = 8;

    private final Random random = new Random(7);

    /** Aims for half of them to arrive before the end, by how long the end took recently. */
    private long nanosToTheEnd = 2_000_000;

    private int done;
    private int refused;
    private int unreceived;

    @Test
    void eachIsAnsweredOnceAndDoneOnlyBeforeTheEnd() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            round();
        }
        String found = done + " done, " + refused + " refused, " + unreceived + " not received";
        assertTrue(done > ROUNDS / 4 && refused > ROUNDS / 4, found);
    }

    private void round() throws IOException {
        String task = client.spawn(TaskClient.terminal("stty -echo; echo ready; read line; exit 0"));
        client.untilShown(task, "ready");
        var operations = new ArrayList<JsonObject>();
        operations.add(ending());
        IntStream.rangeClosed(2, OPERATIONS).mapToObj(this::operation).forEach(operations::add);
        var answers = new ArrayList<JsonObject>();
        var frames = new ArrayList<JsonObject>();
        boolean allReceived = false;
        try (var viewer = new BareSocket(server, "/tasks/" + task + "/attach?from_seq=0", "penstock.v1.json").open()) {
            for (String line : viewer.until("attach_caught_up")) {
                sort(line, frames, answers);
            }
            List<Long> offsets = new ArrayList<>();
            IntStream.range(1, OPERATIONS).forEach(i -> offsets.add((long) (random.nextDouble() * 2 * nanosToTheEnd)));
            Collections.sort(offsets);
            long begun = System.nanoTime();
            viewer.send(operations.getFirst().encode());
            for (int i = 1; i < OPERATIONS; i++) {
                while (System.nanoTime() - begun < offsets.get(i - 1)) {
                    Thread.onSpinWait();
                }
                viewer.send(operations.get(i).encode());
            }
            // The answer implies that everything sent before has been processed.
            viewer.send(BareSocket.PING, false, new byte[] {1});
            BareSocket.Message message = viewer.next();
            for (; message.opcode() != BareSocket.CLOSE; message = viewer.next()) {
                allReceived |= message.opcode() == BareSocket.PONG;
                if (message.opcode() == BareSocket.TEXT) {
                    message.text().lines().forEach(line -> sort(line, frames, answers));
                }
            }
            assertEquals(1000, message.closeCode());
        }
        List<JsonObject> events = client.events(task);
        assertEquals(events, frames);
        assertEquals("ended", events.getLast().getString("phase"));
        assertEquals(events.size(), client.status(task).getInteger("next_seq"));
        nanosToTheEnd = Math.max(500_000, (7 * nanosToTheEnd + nanos(events)) / 8);
        for (JsonObject operation : operations) {
            check(operation, answers, events, allReceived);
        }
    }

    /** From the request that ends the task to its end, by the task's clock. */
    private static long nanos(List<JsonObject> events) {
        long ended = events.getLast().getLong("timestamp_ms");
        long requested = events.stream()
                .filter(frame -> List.of("tool_task_stdin_written", "tool_task_signalled", "tool_task_cancel_requested")
                        .contains(frame.getString("type")))
                .findFirst()
                .orElse(events.getLast())
                .getLong("timestamp_ms");
        return (ended - requested) * 1_000_000;
    }

    private static void sort(String line, List<JsonObject> frames, List<JsonObject> answers) {
        var object = new JsonObject(line);
        if (AttachTest.isFrame(object)) {
            frames.add(object);
        } else if (List.of("attach_done", "attach_refused").contains(object.getString("type"))) {
            answers.add(object);
        }
    }

    private JsonObject ending() {
        return switch (random.nextInt(3)) {
            case 0 -> of("stdin", 1).put("text", "\n");
            case 1 -> of("signal", 1).put("signal", "KILL");
            default -> of("cancel", 1).put("reason", "enough");
        };
    }

    /** Each of a different kind, so that its frame can be identified. */
    private JsonObject operation(int op) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> of("stdin", op).put("text", "x".repeat(op));
            case 3, 4, 5 -> of("resize", op).put("rows", 20 + op).put("cols", 80);
            case 6, 7, 8 -> of("signal", op).put("signal", "WINCH");
            default -> of("cancel", op).put("reason", "by " + op);
        };
    }

    private static JsonObject of(String type, int op) {
        return new JsonObject().put("type", type).put("op", op);
    }

    /** @param allReceived whether the server received it before it closed */
    private void check(JsonObject operation, List<JsonObject> answers, List<JsonObject> events, boolean allReceived) {
        String description = operation.encode() + " answered with " + answers + " in " + events;
        List<JsonObject> own = answers.stream()
                .filter(answer -> answer.getInteger("op").equals(operation.getInteger("op")))
                .toList();
        assertTrue(own.size() == 1 || own.isEmpty() && !allReceived, description);
        List<JsonObject> recorded =
                events.stream().filter(frame -> tells(frame, operation)).toList();
        boolean isDone = own.size() == 1 && own.getFirst().getString("type").equals("attach_done");
        boolean isCancel = operation.getString("type").equals("cancel");
        if (isDone && !isCancel) {
            long seq = own.getFirst().getLong("seq");
            assertTrue(recorded.stream().anyMatch(frame -> frame.getLong("seq") == seq), description);
            assertTrue(seq < events.size() - 1, description);
            done++;
        } else if (isCancel) {
            // The request was to end the task, which is over.
            assertTrue(own.isEmpty() || isDone, description);
        } else {
            assertTrue(operation.getString("type").equals("signal") || recorded.isEmpty(), description);
            if (own.isEmpty()) {
                unreceived++;
            } else {
                JsonObject error = own.getFirst().getJsonObject("error");
                assertEquals("TASK_NOT_READY", error.getString("code"), description);
                assertFalse(error.getBoolean("retryable"), description);
                refused++;
            }
        }
    }

    private static boolean tells(JsonObject frame, JsonObject operation) {
        return switch (operation.getString("type")) {
            case "stdin" ->
                frame.getString("type").equals("tool_task_stdin_written")
                        && frame.getInteger("bytes")
                                == operation.getString("text").length();
            case "resize" ->
                frame.getString("type").equals("tool_task_resized")
                        && frame.getInteger("rows").equals(operation.getInteger("rows"));
            case "signal" ->
                frame.getString("type").equals("tool_task_signalled")
                        && frame.getString("signal").equals(operation.getString("signal"));
            default -> false;
        };
    }
}
