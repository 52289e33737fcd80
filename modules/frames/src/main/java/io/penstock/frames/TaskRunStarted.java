package io.penstock.frames;

import java.util.Locale;

/**
 * A new run of the task is queued. The previous run has ended, and its outcome does not change; or, with {@link Kind#RECOVER}, the server died
 * during it, and this frame ends it as lost.
 */
public record TaskRunStarted(int run, Kind kind, Actor actor) implements TaskFrame {

    /** The reason for another run. */
    public enum Kind {
        RESUME,
        /** A dead server left the previous run without an end: it is lost. */
        RECOVER,
        REQUEUE;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskRunStarted {
        if (run < 2) {
            throw new IllegalArgumentException(
                    "The first run begins with the spawn; another is number 2 or more, not " + run);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_RUN_STARTED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("run", run);
        json.text("kind", kind.wireName());
        json.actor("actor", actor);
    }

    static TaskRunStarted readJson(JsonFields fields) {
        return new TaskRunStarted(fields.smallNumber("run"), fields.oneOf("kind", Kind.class), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(run);
        out.writeConstant(kind);
        actor.writeStored(out);
    }

    static TaskRunStarted readStored(ByteReader in) {
        return new TaskRunStarted(in.readSmallNumber(), in.readConstant(Kind.class), Actor.readStored(in));
    }
}
