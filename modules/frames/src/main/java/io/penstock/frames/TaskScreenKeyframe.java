package io.penstock.frames;

/**
 * The terminal's screen was kept, so that seeking does not begin at the first byte.
 *
 * @param ptyOffset how many bytes of the terminal's output it shows
 */
public record TaskScreenKeyframe(String artifactId, long ptyOffset, int rows, int cols) implements TaskFrame {

    public TaskScreenKeyframe {
        artifactId = Checks.notBlank(artifactId, "artifact_id");
        Checks.notNegative(ptyOffset, "pty_offset");
        Checks.terminalSide(rows, "rows");
        Checks.terminalSide(cols, "cols");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_SCREEN_KEYFRAME;
    }
}
