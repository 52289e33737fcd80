package io.penstock.frames;

/** A session was used for the first time, or again after its end. */
public record SessionStarted(Actor actor, SessionProgress progress) implements SessionFrame {

    @Override
    public FrameType type() {
        return FrameType.SESSION_STARTED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.actor("actor", actor);
        progress.writeJson(json);
    }

    static SessionStarted readJson(JsonFields fields) {
        return new SessionStarted(fields.actor("actor"), SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        actor.writeStored(out);
        progress.writeStored(out);
    }

    static SessionStarted readStored(ByteReader in) {
        return new SessionStarted(Actor.readStored(in), SessionProgress.readStored(in));
    }
}
