package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Laws of every fold of any frames. */
@Tag("PURE")
class FoldLawsTest {

    @Test
    void foldContinuesFromASnapshotAtAnyPoint() {
        Seeds.each(40, random -> {
            List<Frame> frames = random.stream(40);
            TaskState whole = TaskState.fold(frames);
            for (int cut = 0; cut <= frames.size(); cut++) {
                TaskState before = TaskState.fold(frames.subList(0, cut));
                TaskState snapshot = TaskStateJson.parse(TaskStateJson.toText(before));
                assertEquals(before, snapshot);
                assertEquals(whole, snapshot.after(frames.subList(cut, frames.size())));
            }
        });
    }

    @Test
    void foldIsTheSameForEveryFormOfTheFrames() {
        Seeds.each(40, random -> {
            TaskState direct = TaskState.ABSENT;
            TaskState throughJson = TaskState.ABSENT;
            TaskState throughStore = TaskState.ABSENT;
            for (Frame frame : random.stream(60)) {
                direct = direct.after(frame);
                throughJson = throughJson.after(FrameJson.parse(FrameJson.toText(frame)));
                throughStore = throughStore.after(
                        new Frame(frame.stream(), frame.seq(), frame.timestampMs(), Forms.storedAndRead(frame.body())));
                assertEquals(direct, throughJson);
                assertEquals(direct, throughStore);
                assertEquals(frame.seq() + 1, direct.nextSeq());
            }
        });
    }

    @Test
    void anyBodyInAnyStateIsFoldedOrRefusedWithTheReason() {
        var folded = new EnumMap<Phase, EnumSet<FrameType>>(Phase.class);
        Seeds.each(60, random -> {
            List<Frame> frames = random.stream(random.below(50));
            TaskState state = TaskState.fold(frames);
            String snapshot = TaskStateJson.toText(state);
            for (int i = 0; i < 60; i++) {
                FrameBody body = random.body();
                StreamId stream = body instanceof SessionFrame ? StreamId.session("s") : StreamId.task("t");
                var frame = new Frame(stream, state.nextSeq() + (i % 20 == 0 ? 1 : 0), 5, body);
                try {
                    TaskState after = state.after(frame);
                    assertEquals(state.nextSeq() + 1, after.nextSeq());
                    folded.computeIfAbsent(state.phase(), _ -> EnumSet.noneOf(FrameType.class))
                            .add(body.type());
                } catch (Failure refused) {
                    String message = String.valueOf(refused.getMessage());
                    assertEquals(FailureCode.ILLEGAL_FRAME, refused.code());
                    assertTrue(message.contains(frame.typeName()), message);
                    assertTrue(message.contains("Frame " + frame.seq() + " of " + stream), message);
                    assertTrue(message.contains("in phase " + state.phase().wireName()), message);
                }
                assertEquals(snapshot, TaskStateJson.toText(state));
            }
        });
        // The generator is useful only if it reaches every phase.
        assertEquals(EnumSet.allOf(Phase.class), EnumSet.copyOf(folded.keySet()));
    }

    @Test
    void unknownTypesChangeOnlyTheCount() {
        Seeds.each(60, random -> {
            List<Frame> frames = random.stream(random.below(30));
            TaskState state = TaskState.fold(frames);
            var unknown = new Frame(StreamId.task("t"), state.nextSeq(), 5, random.body(FrameType.UNKNOWN));
            String before = TaskStateJson.toText(state);
            String after = TaskStateJson.toText(state.after(unknown));
            assertEquals(
                    before.replace("{\"next_seq\":" + state.nextSeq(), "{\"next_seq\":" + (state.nextSeq() + 1)),
                    after);
        });
    }
}
