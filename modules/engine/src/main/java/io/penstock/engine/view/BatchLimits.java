package io.penstock.engine.view;

import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;

/**
 * How much is sent to a viewer at once.
 *
 * @param frames the most frames that are read before some must have been sent
 * @param bytes a batch ends with the frame that makes it as heavy as this
 */
public record BatchLimits(int frames, int bytes) {

    public BatchLimits {
        if (frames < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "A batch has at least one frame and one byte, not " + frames + " and " + bytes);
        }
    }

    /** Whether a batch ends with this frame wherever it began, so that viewers of the same frames share batches. */
    boolean endWith(Frame frame) {
        return (frame.seq() + 1) % frames == 0
                || frame.body() instanceof ToolTaskOutputDelta delta
                        && delta.offset() / bytes < (delta.offset() + delta.bytes()) / bytes;
    }
}
