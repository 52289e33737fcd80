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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("signal", signal);
        json.actor("actor", actor);
    }

    static ToolTaskSignalled readJson(JsonFields fields) {
        return new ToolTaskSignalled(fields.text("signal"), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(signal);
        actor.writeStored(out);
    }

    static ToolTaskSignalled readStored(ByteReader in) {
        return new ToolTaskSignalled(in.readText(), Actor.readStored(in));
    }
}
