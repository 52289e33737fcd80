package io.penstock.frames;

/** The input of a task on pipes was closed, after everything that was written. */
public record TaskStdinClosed(Actor actor) implements TaskFrame {

    @Override
    public FrameType type() {
        return FrameType.TASK_STDIN_CLOSED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.actor("actor", actor);
    }

    static TaskStdinClosed readJson(JsonFields fields) {
        return new TaskStdinClosed(fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        actor.writeStored(out);
    }

    static TaskStdinClosed readStored(ByteReader in) {
        return new TaskStdinClosed(Actor.readStored(in));
    }
}
