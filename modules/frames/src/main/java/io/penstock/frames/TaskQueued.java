package io.penstock.frames;

/**
 * The task waits for its turn to be started. Told again by each server that takes it up.
 *
 * @param lane whose limit it is under: its session, or {@code node} if it names none
 * @param ahead how many waited when it came, in all lanes
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
