package io.penstock.frames;

/** The task was cleared from its owner's lists. Its frames stay until their retention ends. */
public record TaskCleared(Actor actor) implements TaskFrame {

    @Override
    public FrameType type() {
        return FrameType.TASK_CLEARED;
    }
}
