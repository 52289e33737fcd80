package io.penstock.engine.view;

import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.util.Set;

/**
 * Encodes a task's frames as JSON, text included, in order, and shares the results with other viewers at about the same
 * place. Reads files, so a large number of frames belongs on a worker. For one thread at a time.
 */
public final class JsonFrames implements AutoCloseable {

    private final EncodedTails tails;
    private final String taskId;
    private final InlineText inline;
    private final DeltaReader text;
    private final EncodedTail tail;
    private boolean closed;

    /** @param text the reader of the same task's output */
    public JsonFrames(EncodedTails tails, DeltaReader text, FollowRange range, InlineText inline) {
        this.tails = tails;
        this.taskId = range.taskId();
        this.inline = inline;
        this.text = text;
        this.tail = tails.join(taskId, inline);
        ToolTaskSpawned spec = range.known().spec();
        if (spec != null) {
            text.spec(spec);
        }
    }

    /** Sets the task's spec, for a viewer whose frame with the spec was encoded by another one. */
    public void spec(ToolTaskSpawned spec) {
        text.spec(spec);
    }

    /** The frame as JSON; must not be changed. */
    public byte[] of(Frame frame) throws IOException {
        boolean shared = frame.body() instanceof ToolTaskOutputDelta;
        byte[] json = shared ? tail.find(frame.seq()) : null;
        if (json == null) {
            json = FrameJson.toBytes(text.withText(frame));
            if (frame.body() instanceof ToolTaskOutputDelta delta
                    && !delta.truncated()
                    && text.removed().isEmpty()) {
                // Its text was read from a file, which other viewers need not read again.
                tail.put(frame.seq(), json);
            }
        }
        return json;
    }

    /** The channels whose text was needed but has been removed. */
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
