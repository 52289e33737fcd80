package io.penstock.frames;

/** The program's terminal has another size. */
public record ToolTaskResized(int rows, int cols, Actor actor) implements TaskFrame {

    public ToolTaskResized {
        side(rows, "rows");
        side(cols, "cols");
    }

    private static void side(int cells, String name) {
        if (cells < 1 || cells > Limits.TERMINAL_CELLS_PER_SIDE) {
            throw new IllegalArgumentException(name + " is 1 to " + Limits.TERMINAL_CELLS_PER_SIDE + ", not " + cells);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_RESIZED;
    }
}
