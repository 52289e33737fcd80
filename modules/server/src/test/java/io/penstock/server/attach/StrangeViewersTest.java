package io.penstock.server.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ByteWriter;
import io.penstock.server.InputWaits;
import io.penstock.server.TaskClient;
import io.penstock.server.contract.TranscriptTest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Viewers that do unexpected but permitted things. */
class StrangeViewersTest extends OneLivingTask {

    private String at(String query) {
        return "/tasks/" + task + "/attach?" + query;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            penstock.v1.binary, penstock.v1.json       | penstock.v1.binary
            penstock.v1.json,penstock.v1.binary        | penstock.v1.json
            ttyd , penstock.v9.json,penstock.v1.binary | penstock.v1.binary
            """)
    void firstKnownOfSeveralSubprotocolsIsUsed(String offered, String answered) throws IOException {
        try (var viewer = new BareSocket(server, at("tail=0"), offered)) {
            String head = viewer.head().toLowerCase(java.util.Locale.ROOT);
            assertTrue(head.contains("sec-websocket-protocol: " + answered + "\r\n"), head);
            int spoken = answered.endsWith("json") ? BareSocket.TEXT : BareSocket.BINARY;
            assertEquals(spoken, viewer.next().opcode());
        }
    }

    @Test
    void malformedMessagesAreRefusedByTheirNumber() {
        try (Attached viewer = Attached.json(server, task, "tail=0")) {
            List<String> wrong = List.of(
                    "{\"op\":11,\"type\":\"paste\"}",
                    "{\"op\":12,\"type\":\"resize\",\"rows\":0,\"cols\":0}",
                    "{\"op\":13,\"type\":\"resize\",\"rows\":65535,\"cols\":65535}",
                    "{\"op\":14,\"type\":\"stdin\"}",
                    "{\"op\":15,\"type\":\"stdin\",\"text\":[]}",
                    "{\"op\":16,\"type\":\"stdin\",\"text\":\"\"}",
                    "{\"op\":17,\"type\":\"signal\",\"signal\":\"SIGNOTHING\"}",
                    "{\"op\":18,\"type\":\"size_policy\",\"policy\":\"largest\"}",
                    "{\"op\":19,\"type\":\"cancel\",\"reason\":7}",
                    "{\"op\":20,\"type\":\"stdin\",\"text\":\"" + "x".repeat(8193) + "\"}",
                    "{\"op\":21}");
            for (int i = 0; i < wrong.size(); i++) {
                viewer.say(new JsonObject(wrong.get(i)));
                JsonObject refused = viewer.until("attach_refused");
                assertEquals(11 + i, refused.getInteger("op"), wrong.get(i) + " " + refused.encode());
                assertEquals("INVALID_REQUEST", refused.getJsonObject("error").getString("code"));
            }
            for (String none : List.of("0", "-1", "9223372036854775808", "9007199254740992", "1.5", "\"1\"", "null")) {
                viewer.say(new JsonObject("{\"type\":\"stdin\",\"text\":\"x\",\"op\":" + none + "}"));
                assertEquals(null, viewer.until("attach_refused").getValue("op"), none);
            }
        }
    }

    @Test
    void invalidNumbersAreRefusedInBinaryToo() {
        try (var viewer = new Attached(server, at("tail=0"), "penstock.v1.binary")) {
            for (long op : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53}) {
                viewer.send(input(op, "never\n"));
                viewer.entries(TranscriptTest.news("attach_refused"));
            }
            viewer.send(input((1L << 53) - 1, "the last\n"));
            viewer.entries(entry -> new String(entry.content(), StandardCharsets.UTF_8).contains("got the last"));
        }
        // If one entry of a message is wrong, no part of the message is done.
        try (var viewer = new Attached(server, at("tail=0"), "penstock.v1.binary")) {
            byte[] wrong = "{\"type\":\"paste\",\"op\":2}".getBytes(StandardCharsets.UTF_8);
            viewer.send(input(1, "never\n").appendBuffer(entry(2, wrong)));
            JsonObject refused = viewer.entries(TranscriptTest.news("attach_refused"))
                    .getLast()
                    .json();
            assertEquals(null, refused.getValue("op"), refused::encode);
            assertTrue(refused.encode().contains("Nothing of this message was done"), refused::encode);
        }
        assertTrue(client.until(task, frame -> frame.getString("chunk", "").contains("got the last")).stream()
                .noneMatch(frame -> frame.getString("chunk", "").contains("never")));
    }

    private static Buffer input(long op, String text) {
        var number = new ByteWriter();
        long rest = op;
        while ((rest & ~0x7fL) != 0) {
            number.writeByte((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        number.writeByte((int) rest);
        return entry(1, Buffer.buffer(number.toByteArray()).appendString(text).getBytes());
    }

    private static Buffer entry(int kind, byte[] content) {
        var head = new ByteWriter();
        head.writeByte(kind);
        head.writeNumber(content.length);
        return Buffer.buffer(head.toByteArray()).appendBytes(content);
    }

    @Test
    void unnamedClientIsNotMistakenForANamedOne() {
        try (Attached nameless = Attached.json(server, task, "tail=0")) {
            String name = nameless.until("attach_ready").getString("viewer");
            try (Attached named = Attached.json(server, task, "tail=0&client=" + name)) {
                nameless.say(typing(1, "by nobody\n"));
                nameless.until(object -> object.getString("chunk", "").contains("got by nobody"));
                named.say(typing(1, "by somebody\n"));
                named.until(object -> object.getString("chunk", "").contains("got by somebody"));
            }
        }
    }

    @Test
    void rawClientThatReconnectsByNameTypesAgain() {
        for (String line : List.of("first", "second", "third")) {
            try (var viewer = new Attached(server, at("tail=0&client=xterm"), null)) {
                viewer.send(Buffer.buffer(line + "\n"));
                viewer.bytes("got " + line);
            }
        }
    }

    private static JsonObject typing(int op, String text) {
        return new JsonObject().put("type", "stdin").put("op", op).put("text", text);
    }

    @Test
    void invalidUtf8IsRefusedAndNotTyped() throws IOException {
        try (var viewer = json("tail=0").open()) {
            byte[] said = typed(1, "a?b").getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < said.length; i++) {
                said[i] = said[i] == '?' ? (byte) 0xff : said[i];
            }
            viewer.send(BareSocket.TEXT, false, said);
            viewer.until("attach_refused");
            // This includes a message cut in the middle of a character, which is permitted.
            byte[] right = typed(2, "\u6f22").getBytes(StandardCharsets.UTF_8);
            int cut = new String(right, StandardCharsets.ISO_8859_1).indexOf('\u00e6') + 1;
            viewer.send(BareSocket.TEXT, true, java.util.Arrays.copyOf(right, cut));
            viewer.send(BareSocket.CONTINUATION, false, java.util.Arrays.copyOfRange(right, cut, right.length));
            List<String> lines = viewer.until("got \u6f22");
            assertTrue(lines.stream().noneMatch(line -> line.contains("\ufffd")), lines::toString);
        }
    }

    @Test
    void viewersWithoutControlAreRefusedEveryOperation() {
        int before = client.status(task).getInteger("next_seq");
        try (Attached viewer = Attached.json(server, task, "tail=0&rights=view")) {
            List<String> all = List.of(
                    "{\"op\":1,\"type\":\"stdin\",\"text\":\"x\"}",
                    "{\"op\":2,\"type\":\"resize\",\"rows\":10,\"cols\":10}",
                    "{\"op\":3,\"type\":\"size_policy\",\"policy\":\"leader\"}",
                    "{\"op\":4,\"type\":\"signal\",\"signal\":\"KILL\"}",
                    "{\"op\":5,\"type\":\"cancel\"}");
            for (int i = 0; i < all.size(); i++) {
                viewer.say(new JsonObject(all.get(i)));
                JsonObject refused = viewer.until("attach_refused");
                assertEquals(i + 1, refused.getInteger("op"));
                assertEquals("PERMISSION_DENIED", refused.getJsonObject("error").getString("code"));
            }
            viewer.say(new JsonObject().put("type", "hidden"));
            viewer.say(new JsonObject().put("type", "shown"));
            viewer.say(new JsonObject().put("type", "parsed").put("next_seq", 0));
        }
        try (var viewer = new Attached(server, at("tail=0&rights=view"), null)) {
            viewer.send(Buffer.buffer("x\n"));
        }
        List<JsonObject> since = client.until(task, frame -> InputWaits.begins(frame));
        assertTrue(since.stream()
                .skip(before)
                .allMatch(frame -> frame.getString("type").equals("tool_task_status")));
    }

    /** The acknowledged bytes may exceed what was sent, or be fewer than acknowledged before. */
    @Test
    void impossibleAcknowledgementsBlockNoViewer() {
        String flood = client.spawn(
                TaskClient.terminal("stty -echo; echo ready; read go; head -c 3000000 /dev/zero | tr '\\0' x; exit 0"));
        client.untilShown(flood, "ready");
        try (Attached viewer = Attached.json(server, flood, "from_seq=0")) {
            for (long nextSeq : new long[] {(1L << 53) - 1, 0, 1_000_000, 3}) {
                viewer.say(new JsonObject().put("type", "parsed").put("next_seq", nextSeq));
            }
            viewer.say(typing(1, "go\n"));
            List<JsonObject> seen = viewer.answered(object -> {
                if (AttachTest.isFrame(object)) {
                    viewer.say(new JsonObject().put("type", "parsed").put("next_seq", object.getLong("seq") + 1));
                    viewer.say(new JsonObject().put("type", "parsed").put("next_seq", 0));
                }
            });
            assertEquals(client.events(flood), AttachTest.frames(seen));
        }
    }

    @Test
    void floodOfPoliciesAndSizesEndsWithTheRightSize() {
        var random = new Random(5);
        List<Attached> viewers = IntStream.range(0, 4)
                .mapToObj(i -> Attached.json(server, task, "tail=0"))
                .toList();
        try {
            var policies = List.of("latest", "smallest", "leader", "fixed");
            for (int op = 1; op <= 300; op++) {
                for (Attached viewer : viewers) {
                    viewer.say(
                            random.nextBoolean()
                                    ? new JsonObject()
                                            .put("type", "resize")
                                            .put("rows", 10 + random.nextInt(40))
                                            .put("cols", 20 + random.nextInt(100))
                                            .put("op", op)
                                    : new JsonObject()
                                            .put("type", "size_policy")
                                            .put("policy", policies.get(random.nextInt(4)))
                                            .put("op", op));
                }
            }
            for (Attached viewer : viewers) {
                viewer.until(
                        object -> object.getString("type").equals("attach_done") && object.getInteger("op") == 300);
            }
            for (int i = 0; i < 4; i++) {
                viewers.get(i)
                        .say(new JsonObject()
                                .put("type", "resize")
                                .put("rows", 50 - i)
                                .put("cols", 60 + i)
                                .put("op", 301));
                viewers.get(i).until("attach_done");
            }
            viewers.getFirst()
                    .say(new JsonObject()
                            .put("type", "size_policy")
                            .put("policy", "smallest")
                            .put("op", 302));
            viewers.getFirst().until("attach_done");
            JsonObject screen =
                    new JsonObject(client.get("/tasks/" + task + "/screen").body());
            assertEquals(List.of(47, 60), List.of(screen.getInteger("rows"), screen.getInteger("cols")));
        } finally {
            viewers.forEach(Attached::close);
        }
    }

    /** In the middle of a character, and of a colour sequence. */
    @Test
    void viewerThatStartsInsideASequenceGetsItsRest() {
        String parts = client.spawn(TaskClient.terminal("stty -echo; printf 'one \\e[3'; read go;"
                + " printf '1mred \\346\\274'; read go; printf '\\242 over'; read go; exit 0"));
        client.untilItWaits(parts, 1);
        try (var early = new Attached(server, "/tasks/" + parts + "/attach?screen=0", null)) {
            var first = new ByteArrayOutputStream();
            first.writeBytes(early.bytes("one "));
            client.type(parts, "\n");
            client.untilItWaits(parts, 2);
            try (var late = new Attached(server, "/tasks/" + parts + "/attach?screen=0&behind=screen", null)) {
                var second = new ByteArrayOutputStream();
                second.writeBytes(late.bytes("red "));
                client.type(parts, "\n");
                first.writeBytes(early.bytes(" over"));
                second.writeBytes(late.bytes(" over"));
                assertEquals(
                        shown("one \u001b[31mred \u6f22 over".getBytes(StandardCharsets.UTF_8)),
                        shown(first.toByteArray()));
                assertEquals(shown(first.toByteArray()), shown(second.toByteArray()));
            }
        }
        client.type(parts, "\n");
        client.ended(parts);
    }

    private static String shown(byte[] bytes) {
        var emulator = new io.penstock.terminal.Emulator(24, 80, 0);
        emulator.write(bytes);
        return new String(io.penstock.terminal.ansi.AnsiScreen.of(emulator.state()), StandardCharsets.UTF_8);
    }
}
