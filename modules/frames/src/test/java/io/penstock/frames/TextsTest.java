package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Texts are the same in every form, however odd they are; unpaired surrogates are replaced before they are stored. */
class TextsTest {

    private static final StreamId TASK = StreamId.task("t");

    private static String kept(String text) {
        var notice = new TaskNotice("n", "x" + text);
        var frame = new Frame(TASK, 0, 0, notice);
        assertEquals(frame, FrameJson.parse(FrameJson.toText(frame)));
        assertEquals(notice, Forms.storedAndRead(notice));
        return notice.message().substring(1);
    }

    @Test
    void oddCharactersAreStoredUnchanged() {
        for (String text : new String[] {
            "👩‍👩‍👧",
            "\u2028\u2029\u0085",
            "a\u0000b",
            "\ufeff",
            "\uffff",
            "\u202e",
            "\u001b[31m",
            "e\u0301",
            "\ud83d\ude00"
        }) {
            assertEquals(text, kept(text));
        }
    }

    @Test
    void unpairedSurrogateIsReplaced() {
        assertEquals("\ufffd", kept("\ud83d"));
        assertEquals("\ufffd", kept("\ude00"));
        assertEquals("\ufffd\ufffd", kept("\ude00\ud83d"));
        assertEquals("\ufffd😀\ufffd", kept("\ud83d\ud83d\ude00\ude00"));
        assertEquals(
                "\ufffdx",
                new JsonText("{\"a\":\"\\ud83dx\"}").toNode().get("a").textValue());
        assertEquals("user:\ufffd", Actor.user("\ud83d").toString());
    }

    @Test
    void namesThatDifferOnlyInSurrogatesCollide() {
        assertThrows(IllegalArgumentException.class, () -> new JsonText("{\"\\ud83d\":1,\"\\ud83e\":2}"));
    }

    @Test
    void passedOnJsonKeepsItsValuesExactly() {
        String numbers = "{\"a\":0.10,\"b\":1E+400,\"c\":12345678901234567890123,\"d\":-5}";
        assertEquals(numbers, new JsonText(numbers).text());
        var unknown = new UnknownFrame("task_moved", new JsonText(numbers));
        var frame = new Frame(TASK, 0, 0, unknown);
        assertEquals(
                numbers.substring(1),
                FrameJson.toText(frame).substring(FrameJson.toText(frame).indexOf("\"a\"")));
        assertEquals(frame, FrameJson.parse(FrameJson.toText(frame)));
    }

    @Test
    void passedOnJsonIsOneObjectOfLimitedDepth() {
        String deepest = "{\"a\":".repeat(Limits.JSON_DEPTH - 1) + "{}" + "}".repeat(Limits.JSON_DEPTH - 1);
        var spec = new ToolTaskSpawned(
                "t",
                new JsonText(deepest),
                null,
                null,
                ExecutionMode.PTY,
                null,
                java.util.List.of(Story.log(Channel.PTY)),
                null,
                null,
                Actor.SERVER);
        var frame = new Frame(TASK, 0, 0, spec);
        assertEquals(frame, FrameJson.parse(FrameJson.toText(frame)));
        TaskState state = TaskState.ABSENT.after(frame);
        assertEquals(state, TaskStateJson.parse(TaskStateJson.toText(state)));
        for (String wrong : new String[] {"", "[]", "1", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":" + deepest + "}"}) {
            assertThrows(IllegalArgumentException.class, () -> new JsonText(wrong), wrong);
        }
    }

    @Test
    void longTextsAreLimitedInBytes() {
        String text = "水".repeat(Limits.ARGS_BYTES / 3);
        assertEquals(text, new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, text, null, Actor.SERVER).prompt());
        assertThrows(
                IllegalArgumentException.class,
                () -> new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, text + "水", null, Actor.SERVER));
    }

    @Test
    void numbersFitIntoDoubles() {
        assertEquals(9_007_199_254_740_991L, Limits.WHOLE_NUMBER);
        assertThrows(IllegalArgumentException.class, () -> new TaskUsage(Limits.WHOLE_NUMBER + 1, 0, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ToolTaskOutputDelta(Channel.STDOUT, Limits.WHOLE_NUMBER, 1, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Frame(TASK, Limits.WHOLE_NUMBER + 1, 0, new TaskUsage(0, 0, 0)));
    }

    @Test
    void storedFrameOfANewlyKnownTypeIsReadAsThatType() {
        var out = new ByteWriter();
        out.writeText("task_notice");
        out.writeText("{\"task_id\":\"t\",\"code\":\"c\",\"message\":\"m\"}");
        assertEquals(new TaskNotice("c", "m"), StoredForm.read(FrameType.UNKNOWN, new ByteReader(out.toByteArray())));
    }

    @Test
    void unknownFrameCannotImitateAnotherFrame() {
        assertThrows(IllegalArgumentException.class, () -> new UnknownFrame("task_moved", new JsonText("{\"seq\":3}")));
        assertThrows(IllegalArgumentException.class, () -> new UnknownFrame("task_notice", JsonText.EMPTY));
    }
}
