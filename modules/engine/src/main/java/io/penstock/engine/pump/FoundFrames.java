package io.penstock.engine.pump;

import io.penstock.frames.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a kind among some frames of a task.
 *
 * @param frames the found ones
 * @param nextSeq where to continue the search; null after the last frame
 */
public record FoundFrames(List<Frame> frames, @Nullable Long nextSeq) {

    public FoundFrames {
        frames = List.copyOf(frames);
    }
}
