package io.penstock.engine.pump;

import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.util.Set;

/**
 * Makes the public form of a task's frames, text and all, one after the other, and shares it with others who view the task at about
 * the same place. It reads files: many frames at once belong on a worker. For one thread at a time.
 */
public final class JsonFrames implements AutoCloseable {

    private final TaskApi tasks;
    private final String taskId;
    private final DeltaReader text;
    private final EncodedTail tail;
    private boolean closed;

    JsonFrames(TaskApi tasks, Following following) {
        this.tasks = tasks;
        this.taskId = following.taskId();
        this.text = tasks.deltaReader();
        this.tail = tasks.joinTail(taskId);
        ToolTaskSpawned spec = following.known().spec();
        if (spec != null) {
            text.spec(spec);
        }
    }

    /** For one who has not made all frames here: what the task is. */
    public void spec(ToolTaskSpawned spec) {
        text.spec(spec);
    }

    /** Not to be written to. */
    public byte[] of(Frame frame) throws IOException {
        boolean shared = frame.body() instanceof ToolTaskOutputDelta;
        byte[] json = shared ? tail.find(frame.seq()) : null;
        if (json == null) {
            json = FrameJson.toBytes(text.withText(frame));
            if (shared && text.removed().isEmpty()) {
                // Its text took a read of a file, which the other viewers need not do again.
                tail.keep(frame.seq(), json);
            }
        }
        return json;
    }

    /** The outputs of which text was wanted that is not there any more. */
    public Set<Channel> removed() {
        return text.removed();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            tasks.leaveTail(taskId);
        }
    }
}
