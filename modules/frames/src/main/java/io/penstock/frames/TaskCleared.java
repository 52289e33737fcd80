package io.penstock.frames;

/** The task was cleared from its owner's lists. Its frames stay until their retention ends. */
public record TaskCleared(Actor actor) implements TaskFrame {

    @Override
    public FrameType type() {
        return FrameType.TASK_CLEARED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.actor("actor", actor);
    }

    static TaskCleared readJson(JsonFields fields) {
        return new TaskCleared(fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        actor.writeStored(out);
    }

    static TaskCleared readStored(ByteReader in) {
        return new TaskCleared(Actor.readStored(in));
    }
}
