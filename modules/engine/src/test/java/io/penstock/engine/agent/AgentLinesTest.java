package io.penstock.engine.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgentLinesTest {

    private final List<JsonObject> read = new ArrayList<>();
    private final AgentLines lines = new AgentLines(read::add);

    @Test
    void anyCutGivesTheSameLines() {
        var expected = List.of(
                new JsonObject().put("text", "a\u2028b\u0085c\ud83d\ude00"),
                new JsonObject().put("text", "ä".repeat(3000)),
                new JsonObject());
        var text = new StringBuilder();
        expected.forEach(line -> text.append(line.encode()).append("\r\n\n"));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        var random = new Random(7);
        for (int round = 0; round < 50; round++) {
            read.clear();
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(round < 5 ? 3 : 2000));
                assertNull(give(Arrays.copyOfRange(bytes, at, at + length)));
                at += length;
            }
            assertEquals(expected, read);
        }
    }

    @Test
    void whatIsNoObjectIsSkipped() {
        assertNull(give("warning: old\n[1]\n7\n{\"a\":\n{\"a\":1} x\n\"{}\"\n{\"a\":2}\n"));
        assertEquals(List.of(new JsonObject().put("a", 2)), read);
    }

    @Test
    void bytesThatAreNoUtf8AreReplaced() {
        assertNull(give(new byte[] {'{', '"', 'a', '"', ':', '"', (byte) 0xff, '"', '}', '\n'}));
        assertEquals(List.of(new JsonObject().put("a", "\ufffd")), read);
    }

    @Test
    void tooManyForeignLinesInARowAreAProblem() {
        for (int i = 0; i < AgentLines.FOREIGN_LINES; i++) {
            assertNull(give("y\n"));
        }
        assertNull(give("{}\n"));
        for (int i = 0; i < AgentLines.FOREIGN_LINES; i++) {
            assertNull(give("y\n"));
        }
        assertEquals("it wrote 1001 lines in a row that are no JSON objects, the last: y", give("y\n"));
    }

    @Test
    void aLineHasALimit() {
        byte[] part = new byte[1 << 20];
        Arrays.fill(part, (byte) 'x');
        for (int i = 0; i < AgentLines.LINE_BYTES / part.length; i++) {
            assertNull(give(part));
        }
        assertTrue(Objects.requireNonNull(give("x")).contains("a line of more than 8388608 bytes"));
    }

    @Test
    void deepNestingIsNoObject() {
        assertNull(give("{\"a\":" + "[".repeat(100_000) + "\n"));
        assertNull(give("{\"a\":" + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_001) + "\n"));
        assertEquals(List.of(), read);
    }

    private @Nullable String give(String text) {
        return give(text.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable String give(byte[] bytes) {
        return lines.read(ByteBuffer.wrap(bytes));
    }
}
