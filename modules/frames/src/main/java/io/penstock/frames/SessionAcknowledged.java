package io.penstock.frames;

/** The mailbox items up to and including a frame were acknowledged. */
public record SessionAcknowledged(long throughSeq, Actor actor, SessionProgress progress) implements SessionFrame {

    public SessionAcknowledged {
        Checks.notNegative(throughSeq, "through_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_ACKNOWLEDGED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("through_seq", throughSeq);
        json.actor("actor", actor);
        progress.writeJson(json);
    }

    static SessionAcknowledged readJson(JsonFields fields) {
        return new SessionAcknowledged(
                fields.number("through_seq"), fields.actor("actor"), SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(throughSeq);
        actor.writeStored(out);
        progress.writeStored(out);
    }

    static SessionAcknowledged readStored(ByteReader in) {
        return new SessionAcknowledged(in.readNumber(), Actor.readStored(in), SessionProgress.readStored(in));
    }
}
