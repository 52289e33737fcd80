package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An agent received input and works until it settles.
 *
 * @param turn 1 for the first of the task
 * @param promptId the caller's own name for it
 */
public record TaskTurnStarted(
        int turn, Kind kind, String prompt, @Nullable String promptId, Actor actor) implements TaskFrame {

    /** The purpose of the input. */
    public enum Kind {
        PROMPT,
        STEER,
        FOLLOW_UP,
        RESUME;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskTurnStarted {
        Checks.atLeastOne(turn, "turn");
        prompt = Checks.utf8(prompt, "prompt", Limits.ARGS_BYTES);
        promptId = Checks.textOrNull(promptId, "prompt_id");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_TURN_STARTED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.number("turn", turn);
        json.text("kind", kind.wireName());
        json.text("prompt", prompt);
        json.textOrNull("prompt_id", promptId);
        json.actor("actor", actor);
    }

    static TaskTurnStarted readJson(JsonFields fields) {
        return new TaskTurnStarted(
                fields.smallNumber("turn"),
                fields.oneOf("kind", Kind.class),
                fields.text("prompt"),
                fields.textOrNull("prompt_id"),
                fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeNumber(turn);
        out.writeConstant(kind);
        out.writeText(prompt);
        out.writeTextOrNull(promptId);
        actor.writeStored(out);
    }

    static TaskTurnStarted readStored(ByteReader in) {
        return new TaskTurnStarted(
                in.readSmallNumber(),
                in.readConstant(Kind.class),
                in.readText(),
                in.readTextOrNull(),
                Actor.readStored(in));
    }
}
