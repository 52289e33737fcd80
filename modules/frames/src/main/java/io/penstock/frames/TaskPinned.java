package io.penstock.frames;

/** Retention must keep the task, however old it is; or, if {@code pinned} is false, no longer. */
public record TaskPinned(boolean pinned, Actor actor) implements TaskFrame {

    @Override
    public FrameType type() {
        return FrameType.TASK_PINNED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.flag("pinned", pinned);
        json.actor("actor", actor);
    }

    static TaskPinned readJson(JsonFields fields) {
        return new TaskPinned(fields.flag("pinned"), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeByte(pinned ? 1 : 0);
        actor.writeStored(out);
    }

    static TaskPinned readStored(ByteReader in) {
        return new TaskPinned(in.readByte() != 0, Actor.readStored(in));
    }
}
