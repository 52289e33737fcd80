package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The end of this task was to wake an agent, which is attempted once. Recorded after the attempt.
 *
 * @param wokenTaskId the agent task
 * @param error why the agent was not woken; null if it was
 */
public record TaskWoke(String wokenTaskId, @Nullable String error) implements TaskFrame {

    public TaskWoke {
        StreamId.task(wokenTaskId);
        error = Checks.textOrNull(error, "error");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_WOKE;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("woken_task_id", wokenTaskId);
        json.textOrNull("error", error);
    }

    static TaskWoke readJson(JsonFields fields) {
        return new TaskWoke(fields.text("woken_task_id"), fields.textOrNull("error"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(wokenTaskId);
        out.writeTextOrNull(error);
    }

    static TaskWoke readStored(ByteReader in) {
        return new TaskWoke(in.readText(), in.readTextOrNull());
    }
}
