package io.penstock.frames;

/**
 * The terminal's screen was stored, so that seeking need not start at the first byte.
 *
 * @param ptyOffset bytes of the terminal's output up to it
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
