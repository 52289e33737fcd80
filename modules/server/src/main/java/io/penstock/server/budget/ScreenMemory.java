package io.penstock.server.budget;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.terminal.TerminalLimits;

/** The memory needed to make and write the screen of a terminal. */
public final class ScreenMemory {

    /**
     * Of a snapshot's cell if all its neighbours look different; what {@code ScreenState.bytes} counts, plus a margin.
     */
    private static final long CELL_BYTES = 72;

    /** Of a cell in the emulator: its character, its style, and possibly its hyperlink. */
    private static final long EMULATED_BYTES = 16;

    private ScreenMemory() {}

    /** The upper bound, by the terminal's current size or its size at the spawn, whichever is larger. */
    public static long most(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        var args = spec == null ? null : spec.args().toNode();
        int spawnedRows = args == null ? 0 : args.path("rows").asInt(TerminalSize.DEFAULT.rows());
        int spawnedCols = args == null ? 0 : args.path("cols").asInt(TerminalSize.DEFAULT.cols());
        return Math.max(most(state.rows(), state.cols()), most(spawnedRows, spawnedCols));
    }

    private static long most(long rows, long cols) {
        long shown = Math.min(Limits.SCREEN_CELLS, Math.max(0, rows * cols));
        long above = Math.min(TerminalLimits.HISTORY_CELLS, Math.max(0, Limits.SCREEN_HISTORY_LINES * cols));
        return shown * CELL_BYTES
                + Math.min(TerminalLimits.HISTORY_BYTES, above * CELL_BYTES)
                + (shown + above) * EMULATED_BYTES;
    }
}
