package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.ArrayList;
import java.util.List;

/** The frames of a task, and its state after each. A letter of its text is a frame: o output of ten bytes, n a notice. */
final class ViewedTask {

    static final int DELTA_BYTES = 10;

    private static final StreamId STREAM = StreamId.task("viewed");

    private static final byte[] ANSI = {1};

    private final Channel channel;
    private final List<Frame> frames = new ArrayList<>();
    private final List<TaskState> states = new ArrayList<>(List.of(TaskState.ABSENT));

    private ViewedTask(ExecutionMode mode, Channel channel, String text) {
        this.channel = channel;
        List<LogRef> logs = mode.channels().stream()
                .map(each -> new LogRef(each, "viewed." + each.wireName(), "artifacts/" + each.wireName()))
                .toList();
        add(new ToolTaskSpawned(
                "bash", new JsonText("{}"), null, null, mode, null, logs, null, null, Actor.user("tester")));
        add(ToolTaskStatus.running(1));
        for (int i = 0; i < text.length(); i++) {
            long offset = written();
            add(
                    text.charAt(i) == 'o'
                            ? new ToolTaskOutputDelta(channel, offset, DELTA_BYTES, offset + DELTA_BYTES)
                            : new TaskNotice("n", "notice " + i));
        }
        List<LogEnd> ends = logs.stream()
                .map(log -> new LogEnd(
                        log,
                        state().output().total(log.channel()),
                        state().output().stored(log.channel()),
                        null,
                        null))
                .toList();
        add(new ToolTaskStatus(Phase.ENDED, Ending.exit(0), null, 2L, ends, null, null, Cause.EXIT, Actor.REAPER));
    }

    /** Its text begins with frame 2: frame 0 is the spawn, frame 1 the start, and the last one the end. */
    static ViewedTask terminal(String text) {
        return new ViewedTask(ExecutionMode.PTY, Channel.PTY, text);
    }

    static ViewedTask pipes(String text) {
        return new ViewedTask(ExecutionMode.PIPES, Channel.STDOUT, text);
    }

    private void add(FrameBody body) {
        var frame = new Frame(STREAM, frames.size(), 1, body);
        frames.add(frame);
        states.add(state().after(frame));
    }

    private TaskState state() {
        return states.getLast();
    }

    private long written() {
        return state().output().total(channel);
    }

    int size() {
        return frames.size();
    }

    Frame frame(long seq) {
        return frames.get((int) seq);
    }

    /** The state after this many frames. */
    TaskState state(long frames) {
        return states.get((int) frames);
    }

    /** Of the first frames. */
    long written(long frames) {
        return state(frames).output().total(channel);
    }

    boolean isOutput(long seq) {
        return frame(seq).body() instanceof ToolTaskOutputDelta;
    }

    List<Frame> nonOutputFrames(long fromSeq, long lastSeq) {
        var others = new ArrayList<Frame>();
        for (long seq = fromSeq; seq <= lastSeq; seq++) {
            if (!isOutput(seq)) {
                others.add(frame(seq));
            }
        }
        return others;
    }

    /** The screen right after a frame. */
    static RenderedScreen screen(long seq) {
        return new RenderedScreen(seq, true, 24, 80, ANSI);
    }
}
