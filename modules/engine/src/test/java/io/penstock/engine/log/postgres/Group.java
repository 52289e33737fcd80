package io.penstock.engine.log.postgres;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of one group, built for a test. */
final class Group {

    record Frame(long streamNo, long seq, Buffer body) {}

    record Answer(int day, String key, @Nullable Buffer answer) {}

    private final List<Long> newStreams = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    Group stream(long streamNo) {
        newStreams.add(streamNo);
        return this;
    }

    Group frame(long streamNo, long seq, String body) {
        frames.add(new Frame(streamNo, seq, Buffer.buffer(body)));
        return this;
    }

    Group answer(int day, String key, @Nullable String answer) {
        answers.add(new Answer(day, key, answer == null ? null : Buffer.buffer(answer)));
        return this;
    }

    Tuple at(int nodeNo, long epoch, long drained, long next) {
        return withoutTasks(Tuple.tuple()
                .addInteger(nodeNo)
                .addLong(epoch)
                .addLong(drained)
                .addLong(next)
                .addArrayOfLong(newStreams.toArray(Long[]::new))
                .addArrayOfShort(newStreams.stream().map(no -> (short) 1).toArray(Short[]::new))
                .addArrayOfString(newStreams.stream().map(no -> "task-" + no).toArray(String[]::new))
                .addArrayOfLong(frames.stream().map(Frame::streamNo).toArray(Long[]::new))
                .addArrayOfLong(frames.stream().map(Frame::seq).toArray(Long[]::new))
                .addArrayOfLong(frames.stream().map(frame -> 1_000L).toArray(Long[]::new))
                .addArrayOfShort(frames.stream().map(frame -> (short) 2).toArray(Short[]::new))
                .addArrayOfBuffer(frames.stream().map(Frame::body).toArray(Buffer[]::new))
                .addArrayOfInteger(answers.stream().map(Answer::day).toArray(Integer[]::new))
                .addArrayOfString(answers.stream().map(answer -> "someone").toArray(String[]::new))
                .addArrayOfString(answers.stream().map(Answer::key).toArray(String[]::new))
                .addArrayOfBuffer(
                        answers.stream().map(answer -> Buffer.buffer("print")).toArray(Buffer[]::new))
                .addArrayOfBuffer(answers.stream().map(Answer::answer).toArray(Buffer[]::new))
                .addArrayOfLong(answers.stream().map(answer -> 1_000L).toArray(Long[]::new)));
    }

    /** The effect of frames on task rows is tested with the drain, which derives it from them. */
    private static Tuple withoutTasks(Tuple group) {
        return group.addArrayOfLong(new Long[0])
                .addArrayOfBoolean(new Boolean[0])
                .addArrayOfString(new String[0])
                .addArrayOfString(new String[0])
                .addArrayOfString(new String[0])
                .addArrayOfShort(new Short[0])
                .addArrayOfLong(new Long[0])
                .addArrayOfShort(new Short[0])
                .addArrayOfShort(new Short[0])
                .addArrayOfInteger(new Integer[0])
                .addArrayOfLong(new Long[0])
                .addArrayOfLong(new Long[0])
                .addArrayOfBoolean(new Boolean[0])
                .addArrayOfString(new String[0])
                .addArrayOfBoolean(new Boolean[0])
                .addArrayOfString(new String[0])
                .addArrayOfString(new String[0])
                .addArrayOfString(new String[0])
                .addArrayOfBoolean(new Boolean[0]);
    }
}
