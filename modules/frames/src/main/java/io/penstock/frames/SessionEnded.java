package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A session was ended. Its tasks continue; a later use starts it again. */
public record SessionEnded(@Nullable String reason, Actor actor, SessionProgress progress) implements SessionFrame {

    public SessionEnded {
        reason = Checks.textOrNull(reason, "reason");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_ENDED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.textOrNull("reason", reason);
        json.actor("actor", actor);
        progress.writeJson(json);
    }

    static SessionEnded readJson(JsonFields fields) {
        return new SessionEnded(fields.textOrNull("reason"), fields.actor("actor"), SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeTextOrNull(reason);
        actor.writeStored(out);
        progress.writeStored(out);
    }

    static SessionEnded readStored(ByteReader in) {
        return new SessionEnded(in.readTextOrNull(), Actor.readStored(in), SessionProgress.readStored(in));
    }
}
