package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Laws of the forms in which frames are stored and sent. */
class FormLawsTest {

    @Test
    void everyFrameSurvivesJson() {
        Seeds.each(2000, random -> {
            Frame frame = frame(random);
            String text = FrameJson.toText(frame);
            assertEquals(frame, FrameJson.parse(text));
            assertEquals(text, FrameJson.toText(FrameJson.parse(text)));
        });
    }

    @Test
    void everyBodySurvivesItsStoredForm() {
        Seeds.each(2000, random -> {
            FrameBody body = random.body();
            assertEquals(Forms.recorded(body), Forms.storedAndRead(body));
            assertTrue(Forms.stored(body).length <= Limits.FRAME_BODY_BYTES);
        });
    }

    @Test
    void fieldsThatALaterVersionAppendsAreSkipped() {
        Seeds.each(200, random -> {
            FrameBody body = random.body();
            byte[] stored = Forms.stored(body);
            byte[] longer = Arrays.copyOf(stored, stored.length + 5);
            assertEquals(Forms.recorded(body), StoredForm.read(body.type(), new ByteReader(longer)));
        });
    }

    @Test
    void storedBodyIsReadFromTheMiddleOfABuffer() {
        Seeds.each(200, random -> {
            FrameBody body = random.body();
            byte[] stored = Forms.stored(body);
            byte[] around = new byte[stored.length + 20];
            Arrays.fill(around, (byte) 0xff);
            System.arraycopy(stored, 0, around, 7, stored.length);
            assertEquals(Forms.recorded(body), StoredForm.read(body.type(), new ByteReader(around, 7, stored.length)));
        });
    }

    @Test
    void damagedStoredFormsGiveABodyOrAMalformedFrame() {
        Seeds.each(2000, random -> {
            FrameBody body = random.body();
            read(body.type(), random.damaged(Forms.stored(body)));
            read(body.type(), random.bytes(64));
        });
    }

    @Test
    void truncatedStoredFormsGiveABodyOrAMalformedFrame() {
        Seeds.each(50, random -> {
            FrameBody body = random.body();
            byte[] stored = Forms.stored(body);
            for (int length = 0; length < stored.length; length++) {
                read(body.type(), Arrays.copyOf(stored, length));
            }
        });
    }

    @Test
    void forgedLengthAllocatesNothing() {
        // Announces two billion bytes of text, but has none.
        byte[] forged = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07};
        for (FrameType type : FrameType.values()) {
            read(type, forged);
        }
    }

    private static void read(FrameType type, byte[] bytes) {
        try {
            FrameBody body = StoredForm.read(type, new ByteReader(bytes));
            assertEquals(Forms.recorded(body), Forms.storedAndRead(body));
        } catch (Failure failure) {
            assertEquals(FailureCode.MALFORMED_FRAME, failure.code());
        }
    }

    @Test
    void damagedJsonGivesAFrameOrAMalformedFrame() {
        Seeds.each(2000, random -> {
            byte[] right = FrameJson.toBytes(frame(random));
            String wrong = new String(random.damaged(right), StandardCharsets.UTF_8);
            try {
                Frame frame = FrameJson.parse(wrong);
                assertEquals(frame, FrameJson.parse(FrameJson.toText(frame)));
            } catch (Failure failure) {
                assertTrue(
                        failure.code() == FailureCode.MALFORMED_FRAME || failure.code() == FailureCode.ILLEGAL_FRAME,
                        failure::toString);
            }
        });
    }

    @Test
    void damagedSnapshotsGiveAStateOrAMalformedFrame() {
        Seeds.each(400, random -> {
            TaskState state = TaskState.fold(random.stream(random.below(20)));
            byte[] right = TaskStateJson.toText(state).getBytes(StandardCharsets.UTF_8);
            String wrong = new String(random.damaged(right), StandardCharsets.UTF_8);
            try {
                TaskState read = TaskStateJson.parse(wrong);
                assertEquals(read, TaskStateJson.parse(TaskStateJson.toText(read)));
            } catch (Failure failure) {
                assertEquals(FailureCode.MALFORMED_FRAME, failure.code());
            }
        });
    }

    private static Frame frame(RandomFrames random) {
        FrameBody body = random.body();
        boolean session = body instanceof SessionFrame || (body instanceof UnknownFrame && random.below(2) == 0);
        StreamId stream = session ? StreamId.session("s:1@x") : StreamId.task("01J.x_y-z");
        return new Frame(stream, random.number(), random.number(), body);
    }
}
