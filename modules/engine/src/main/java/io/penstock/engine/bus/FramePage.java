package io.penstock.engine.bus;

import io.penstock.frames.Frame;
import java.util.List;

/**
 * The next frames of a followed task, in order.
 *
 * @param last whether this is the last page: the task has ended, if the follower wanted to stop there, or the log is closed or cannot be
 *     read; a follower that wants more sends a new request
 */
public record FramePage(String taskId, List<Frame> frames, boolean last) {

    public FramePage {
        frames = List.copyOf(frames);
    }
}
