package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * How a task is related to other tasks, and what its end causes.
 *
 * @param parentTaskId the task that asked for it
 * @param depth the number of tasks above it
 * @param batch the name that it shares with the tasks of the same batch
 * @param notifies whether its end is an item of its session's mailbox
 * @param wake the agent task that its end wakes
 */
public record TaskLinks(
        @Nullable String parentTaskId,
        int depth,
        @Nullable String batch,
        boolean notifies,
        @Nullable Wake wake) {

    /** Of a task that nothing is related to. */
    public static final TaskLinks NONE = new TaskLinks(null, 0, null, true, null);

    /**
     * The wish that the end of a task resumes an agent.
     *
     * @param taskId the agent task
     * @param message the text that the agent is sent, before the facts about the end
     */
    public record Wake(String taskId, String message) {

        public Wake {
            StreamId.task(taskId);
            message = Checks.text(message, "message");
        }
    }

    public TaskLinks {
        if (parentTaskId != null) {
            StreamId.task(parentTaskId);
        }
        Checks.notNegative(depth, "depth");
        batch = batch == null ? null : Checks.name(batch, "batch");
        if ((parentTaskId == null) != (depth == 0)) {
            throw new IllegalArgumentException("A task has a depth of 1 or more exactly if it has a parent: depth "
                    + depth + ", parent_task_id " + parentTaskId);
        }
    }

    void writeJson(JsonWriter json) {
        json.textOrNull("parent_task_id", parentTaskId);
        json.number("depth", depth);
        json.textOrNull("batch", batch);
        json.flag("notify", notifies);
        if (wake == null) {
            json.absent("on_end");
        } else {
            json.begin("on_end");
            json.text("resume", wake.taskId());
            json.text("message", wake.message());
            json.end();
        }
    }

    static TaskLinks readJson(JsonFields fields) {
        JsonFields wake = fields.inOrNull("on_end");
        return new TaskLinks(
                fields.textOrNull("parent_task_id"),
                fields.smallNumber("depth"),
                fields.textOrNull("batch"),
                fields.flag("notify"),
                wake == null ? null : new Wake(wake.text("resume"), wake.text("message")));
    }

    void writeStored(ByteWriter out) {
        out.writeTextOrNull(parentTaskId);
        out.writeNumber(depth);
        out.writeTextOrNull(batch);
        out.writeNumber(notifies ? 1 : 0);
        out.writeTextOrNull(wake == null ? null : wake.taskId());
        if (wake != null) {
            out.writeText(wake.message());
        }
    }

    static TaskLinks readStored(ByteReader in) {
        String parent = in.readTextOrNull();
        int depth = in.readSmallNumber();
        String batch = in.readTextOrNull();
        boolean notifies = in.readNumber() != 0;
        String wakes = in.readTextOrNull();
        return new TaskLinks(parent, depth, batch, notifies, wakes == null ? null : new Wake(wakes, in.readText()));
    }
}
