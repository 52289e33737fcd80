package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Misbehaving viewers get an error or are disconnected, and others do not notice. */
@Tag("BOUNDED")
class HostileViewerTest extends OneLivingTask {

    @Test
    void operationsBeforeTheFirstAnswerRunInOrder() throws IOException {
        try (var viewer = json("tail=0")) {
            var messages = new ArrayList<String>();
            messages.add("{\"type\":\"hidden\"}");
            messages.add("{\"type\":\"parsed\",\"next_seq\":0}");
            messages.add("{\"type\":\"resize\",\"op\":1,\"rows\":30,\"cols\":100}");
            messages.add("nonsense");
            messages.add("{\"type\":\"size_policy\",\"op\":2,\"policy\":\"leader\"}");
            messages.add("{\"type\":\"signal\",\"op\":3,\"signal\":\"WINCH\"}");
            IntStream.rangeClosed(4, 103).forEach(op -> messages.add(typed(op, "line " + op)));
            messages.add("{\"type\":\"shown\"}");
            messages.add("{\"type\":\"parsed\",\"next_seq\":1000000}");
            viewer.open().send(messages);
            List<String> lines = viewer.until("\"op\":103");
            assertTrue(lines.getFirst().contains("attach_ready"), lines.getFirst());
            assertTrue(lines.stream()
                    .anyMatch(line -> line.contains("attach_refused") && line.contains("\"op\":null")
                            || line.contains("attach_refused") && !line.contains("\"op\":")));
            int before = -1;
            for (int op = 1; op <= 103; op++) {
                String answer = "\"attach_done\",\"op\":" + op + ",";
                int at = IntStream.range(0, lines.size())
                        .filter(i -> lines.get(i).contains(answer))
                        .findFirst()
                        .orElse(-1);
                assertTrue(at > before, "operation " + op + " is answered at " + at + " of " + lines);
                before = at;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"8102,1002", "c18000000000,1002", "838000000000,1002", "808000000000,1002", "81ff0000000000020000,1009"
    })
    void invalidFramesCloseTheSocketWithAReason(String frame, int code) throws IOException {
        try (var viewer = json("tail=0").open()) {
            viewer.write(HexFormat.of().parseHex(frame));
            BareSocket.Message next = viewer.next();
            while (next.opcode() != BareSocket.CLOSE) {
                next = viewer.next();
            }
            assertEquals(code, next.closeCode());
        }
    }

    @Test
    void noneOfManyMessagesSentAtOnceIsLost() throws IOException {
        for (int i = 1; i <= 50; i++) {
            try (var viewer = json("screen=0&client=hasty").open()) {
                viewer.send(typed(i, "hasty " + i));
                List<String> lines = viewer.until("\"attach_done\",\"op\":" + i + ",");
                assertTrue(lines.getFirst().contains("attach_ready"), lines.getFirst());
            }
        }
    }

    @Test
    void fragmentsAreOneMessageAndPingsBetweenThemAreAnswered() throws IOException {
        try (var viewer = json("tail=0").open()) {
            byte[] message = typed(1, "in pieces \u6f22").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < message.length; i++) {
                viewer.send(i == 0 ? BareSocket.TEXT : BareSocket.CONTINUATION, i + 1 < message.length, new byte[] {
                    message[i]
                });
                viewer.send(BareSocket.PING, false, new byte[] {(byte) i});
            }
            int pongs = 0;
            boolean done = false;
            while (!done || pongs < message.length) {
                BareSocket.Message next = viewer.next();
                pongs += next.opcode() == BareSocket.PONG ? 1 : 0;
                done |= next.opcode() == BareSocket.TEXT && next.text().contains("got in pieces \u6f22");
            }
            // It leaves in the middle of another.
            viewer.send(BareSocket.TEXT, true, "{\"type\":".getBytes(StandardCharsets.UTF_8));
            viewer.send(BareSocket.CLOSE, false, new byte[] {3, (byte) 232});
            assertEquals(1000, viewer.closeCode());
        }
    }

    @Test
    void tooLongMessageClosesTheConnection() throws IOException {
        try (var viewer = json("tail=0").open()) {
            viewer.send(BareSocket.TEXT, false, new byte[60 * 1024]);
            viewer.until("attach_refused");
        }
        try (var viewer = json("tail=0").open()) {
            // 65 MB are announced; the server does not wait for them.
            viewer.cutOffAt(new byte[] {(byte) 0x81, (byte) 0xff, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}, new byte[1000]);
        }
        try (var viewer = json("tail=0").open()) {
            byte[] piece = "x".repeat(60 * 1024).getBytes(StandardCharsets.UTF_8);
            viewer.cutOffAt(BareSocket.frame(BareSocket.TEXT, piece), BareSocket.frame(BareSocket.CONTINUATION, piece));
        }
    }

    @Test
    void clientThatReadsNothingIsNotReadEither() throws IOException {
        try (var viewer = json("tail=0").open()) {
            viewer.until("attach_caught_up");
            var writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int from = 1; from <= 10_000; from += 1000) {
                        viewer.send(IntStream.range(from, from + 1000)
                                .mapToObj(op -> "{\"type\":\"resize\",\"op\":" + op + ",\"rows\":" + (20 + op % 2)
                                        + ",\"cols\":80}")
                                .toList());
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            // The others continue meanwhile.
            try (var other = json("tail=0").open()) {
                other.until("attach_caught_up");
                client.type(task, "beside it\n");
                other.until("got beside it");
                // Their input is accepted, and answered when they leave.
                other.send(typed(1, "said beside it"));
                other.until("attach_done");
                other.send(BareSocket.CLOSE, false, new byte[] {3, (byte) 232});
                assertEquals(1000, other.closeCode());
            }
            List<String> lines = viewer.until("\"attach_done\",\"op\":10000,");
            assertEquals(
                    10_000,
                    lines.stream().filter(line -> line.contains("attach_done")).count());
            writer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void floodOfPingsIsAnsweredAndDelaysNoOther() throws IOException {
        try (var viewer = json("tail=0").open()) {
            viewer.until("attach_caught_up");
            byte[] ping = BareSocket.frame(0x80 | BareSocket.PING, new byte[] {1, 2, 3});
            byte[] many = new byte[ping.length * 100_000];
            for (int i = 0; i < 100_000; i++) {
                System.arraycopy(ping, 0, many, i * ping.length, ping.length);
            }
            var writer = Thread.ofPlatform().start(() -> {
                try {
                    viewer.write(many);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            int pongs = 0;
            while (pongs < 100_000) {
                pongs += viewer.next().opcode() == BareSocket.PONG ? 1 : 0;
            }
            writer.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void invalidStartsAreAnsweredBeforeTheUpgrade() {
        for (String query : List.of(
                "from_seq=1000000",
                "from_seq=-1",
                "from_seq=9223372036854775808",
                "from_seq=9223372036854775807",
                "tail=-1",
                "tail_bytes=16777217",
                "screen=1001",
                "screen=x",
                "from_seq=1&tail=1")) {
            IOException refused =
                    assertThrows(IOException.class, () -> json(query).open());
            assertTrue(String.valueOf(refused.getMessage()).startsWith("HTTP/1.1 400 "), query + ": " + refused);
        }
        try (Attached viewer = Attached.json(server, task, "tail=9007199254740991")) {
            List<JsonObject> seen = viewer.until("attach_caught_up", List.of());
            assertEquals(0, AttachTest.frames(seen).getFirst().getLong("seq"));
        }
    }

    @Test
    void sameOperationOnTwoSocketsAtOnceRunsOnce() throws IOException {
        try (var one = json("tail=0&client=same").open();
                var other = json("tail=0&client=same").open()) {
            one.until("attach_caught_up");
            other.until("attach_caught_up");
            for (int op = 1; op <= 200; op++) {
                String message = typed(op, "number " + op);
                one.send(message);
                other.send(message);
            }
            assertEquals(answers(one, 200), answers(other, 200));
        }
        var shown = new StringBuilder();
        client.untilShown(task, "got number 200\r").forEach(frame -> shown.append(frame.getString("chunk", "")));
        for (int op = 1; op <= 200; op++) {
            String line = "got number " + op + "\r";
            int first = shown.indexOf(line);
            assertTrue(first >= 0 && shown.indexOf(line, first + 1) < 0, "number " + op);
        }
    }

    /** All answers, once the last one and its effect have come: the effect of another's operation may come before the own answer. */
    private static List<String> answers(BareSocket viewer, int last) throws IOException {
        List<String> lines = viewer.until("got number " + last + "\\r");
        String answer = "\"attach_done\",\"op\":" + last + ",";
        if (lines.stream().noneMatch(line -> line.contains(answer))) {
            lines.addAll(viewer.until(answer));
        }
        return lines.stream().filter(line -> line.contains("attach_done")).toList();
    }
}
