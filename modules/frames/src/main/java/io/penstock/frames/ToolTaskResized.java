package io.penstock.frames;

/** The program's terminal was resized. */
public record ToolTaskResized(int rows, int cols, Actor actor) implements TaskFrame {

    public ToolTaskResized {
        Checks.terminalSide(rows, "rows");
        Checks.terminalSide(cols, "cols");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_RESIZED;
    }
}
