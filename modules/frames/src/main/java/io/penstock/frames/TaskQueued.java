package io.penstock.frames;

/**
 * The task waits for room in a lane.
 *
 * @param ahead how many tasks of the lane are served before it
 */
public record TaskQueued(String lane, long ahead) implements TaskFrame {

    public TaskQueued {
        lane = Checks.notBlank(lane, "lane");
        Checks.notNegative(ahead, "ahead");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_QUEUED;
    }
}
