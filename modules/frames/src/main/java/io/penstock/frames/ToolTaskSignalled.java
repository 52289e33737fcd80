package io.penstock.frames;

/**
 * A signal was sent to the program's process group.
 *
 * @param signal exactly as the caller wrote it
 */
public record ToolTaskSignalled(String signal, Actor actor) implements TaskFrame {

    public ToolTaskSignalled {
        signal = Checks.text(signal, "signal", 16);
        Signal.parse(signal);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_SIGNALLED;
    }
}
