package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** Stops a background task and all that it has started. */
final class TaskKillTool implements Tool {

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task; either this or label."),
            Field.optional("label", FieldType.id(Limits.LABEL_CHARS), "The label of the task; either this or task_id."),
            Field.optional("reason", new Text(Limits.TEXT_CHARS), "Recorded with the task: why it is stopped."));

    private static final Fields RESULT = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.required(
                    "status",
                    new Word(TaskStatusTool.WORDS),
                    "killed; another one if it had ended before, or if its program is still being stopped."),
            Field.optional(
                    "partial_result",
                    new Text(TaskToolLimits.RESULT_CHARS),
                    "What it had brought about by then; null if it has its result, which task_join returns."));

    private final TaskApi tasks;
    private final TaskResults results;

    TaskKillTool(TaskApi tasks) {
        this.tasks = tasks;
        this.results = new TaskResults(tasks);
    }

    @Override
    public String name() {
        return "task_kill";
    }

    @Override
    public String description() {
        return "Stops a background task, and the tasks that it has started. Returns what it had brought about by then. Has"
                + " no effect on a task that has ended.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return RESULT.ofResult();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return false;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return TaskToolLimits.RESULT_BYTES;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        return new SessionTasks(tasks, call.sessionId())
                .find(given.getString("task_id"), given.getString("label"))
                .compose(task -> task.isOver()
                        ? Future.succeededFuture(task)
                        : task.stop(tasks, given.getString("reason"), call.actor()))
                .compose(task -> partial(task)
                        .map(partial -> new JsonObject()
                                .put("task_id", task.taskId())
                                .put("status", task.status())
                                .put("partial_result", partial.text())));
    }

    /** A command that was stopped has no other result than its output so far. */
    private Future<TaskResults.Shown> partial(SessionTask task) {
        return task.agent() == null && "killed".equals(task.status())
                ? results.result(task, TaskToolLimits.RESULT_CHARS)
                : results.partial(task, TaskToolLimits.RESULT_CHARS);
    }
}
