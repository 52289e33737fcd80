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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("artifact_id", artifactId);
        json.number("pty_offset", ptyOffset);
        json.number("rows", rows);
        json.number("cols", cols);
    }

    static TaskScreenKeyframe readJson(JsonFields fields) {
        return new TaskScreenKeyframe(
                fields.text("artifact_id"),
                fields.number("pty_offset"),
                fields.smallNumber("rows"),
                fields.smallNumber("cols"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(artifactId);
        out.writeNumber(ptyOffset);
        out.writeNumber(rows);
        out.writeNumber(cols);
    }

    static TaskScreenKeyframe readStored(ByteReader in) {
        return new TaskScreenKeyframe(in.readText(), in.readNumber(), in.readSmallNumber(), in.readSmallNumber());
    }
}
