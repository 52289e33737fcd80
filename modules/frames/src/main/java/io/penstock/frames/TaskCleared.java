package io.penstock.frames;

/** The task was cleared away from its owner's lists. Its frames stay until retention. */
public record TaskCleared(Actor actor) implements TaskFrame {

    @Override
    public FrameType type() {
        return FrameType.TASK_CLEARED;
    }
}
