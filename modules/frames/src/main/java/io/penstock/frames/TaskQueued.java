package io.penstock.frames;

/**
 * The task waits for its turn to be started. Each server that takes over the task records it again.
 *
 * @param lane the lane that it waits in: its session, or {@code node} without one
 * @param ahead the number of tasks that were waiting when it arrived, in all lanes
 */
public record TaskQueued(String lane, long ahead) implements TaskFrame {

    public TaskQueued {
        lane = Checks.notBlank(lane, "lane");
        Checks.notNegative(ahead, "ahead");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_QUEUED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("lane", lane);
        json.number("ahead", ahead);
    }

    static TaskQueued readJson(JsonFields fields) {
        return new TaskQueued(fields.text("lane"), fields.number("ahead"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(lane);
        out.writeNumber(ahead);
    }

    static TaskQueued readStored(ByteReader in) {
        return new TaskQueued(in.readText(), in.readNumber());
    }
}
