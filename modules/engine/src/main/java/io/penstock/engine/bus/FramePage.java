package io.penstock.engine.bus;

import io.penstock.frames.Frame;
import java.util.List;

/**
 * The next frames of a task that is followed, one after the other.
 *
 * @param last whether nothing follows: the task has ended, if that was asked for, or the log is closed or cannot
 *     be read; who wants more asks again for what follows
 */
public record FramePage(String taskId, List<Frame> frames, boolean last) {

    public FramePage {
        frames = List.copyOf(frames);
    }
}
