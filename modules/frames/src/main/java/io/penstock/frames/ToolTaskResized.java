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

    @Override
    public void writeJson(JsonWriter json) {
        json.number("rows", rows);
        json.number("cols", cols);
        json.actor("actor", actor);
    }

    static ToolTaskResized readJson(JsonFields fields) {
        return new ToolTaskResized(fields.smallNumber("rows"), fields.smallNumber("cols"), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(rows);
        out.writeNumber(cols);
        actor.writeStored(out);
    }

    static ToolTaskResized readStored(ByteReader in) {
        return new ToolTaskResized(in.readSmallNumber(), in.readSmallNumber(), Actor.readStored(in));
    }
}
