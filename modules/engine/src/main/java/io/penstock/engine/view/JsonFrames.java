package io.penstock.engine.view;

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

    private final EncodedTails tails;
    private final String taskId;
    private final InlineText inline;
    private final DeltaReader text;
    private final EncodedTail tail;
    private boolean closed;

    /** @param text reads the output of the same task */
    public JsonFrames(EncodedTails tails, DeltaReader text, FollowRange following, InlineText inline) {
        this.tails = tails;
        this.taskId = following.taskId();
        this.inline = inline;
        this.text = text;
        this.tail = tails.join(taskId, inline);
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
            if (frame.body() instanceof ToolTaskOutputDelta delta
                    && !delta.truncated()
                    && text.removed().isEmpty()) {
                // Its text took a read of a file, which the other viewers need not do again.
                tail.put(frame.seq(), json);
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
            tails.release(taskId, inline);
        }
    }
}
