package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** A client or a limit requested the task to stop. From now on it is stopping. */
public record ToolTaskCancelRequested(@Nullable String reason, Cause cause, Actor actor) implements TaskFrame {

    public ToolTaskCancelRequested {
        reason = Checks.textOrNull(reason, "reason");
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_CANCEL_REQUESTED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.textOrNull("reason", reason);
        json.text("cause", cause.wireName());
        json.actor("actor", actor);
    }

    static ToolTaskCancelRequested readJson(JsonFields fields) {
        return new ToolTaskCancelRequested(
                fields.textOrNull("reason"), fields.oneOf("cause", Cause.class), fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeTextOrNull(reason);
        out.writeConstant(cause);
        actor.writeStored(out);
    }

    static ToolTaskCancelRequested readStored(ByteReader in) {
        return new ToolTaskCancelRequested(in.readTextOrNull(), in.readConstant(Cause.class), Actor.readStored(in));
    }
}
