package io.penstock.server.tools.agents;

import io.penstock.engine.pump.StateWait;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Waits for a background task and returns its result, or its status when the time is up. */
final class TaskJoinTool implements Tool {

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task; either this or label."),
            Field.optional("label", FieldType.id(Limits.LABEL_CHARS), "The label of the task; either this or task_id."),
            Field.withDefault(
                    "timeout_ms",
                    new WholeNumber(0, TaskToolLimits.WAIT_MS),
                    TaskToolLimits.JOIN_MS,
                    "Milliseconds to wait for its end; then the answer is its present status."));

    private static final JsonObject RESULT = new ResultSchema(Fields.of(
                    Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
                    Field.optional("label", new Text(Limits.LABEL_CHARS), "As given."),
                    Field.required("status", new Word(TaskStatusTool.WORDS), "Its status; running if the time was up."),
                    Field.optional(
                            "result",
                            new Text(TaskToolLimits.RESULT_CHARS),
                            "The agent's answer, or the command's output; null before the end."),
                    Field.optional(
                            "partial_result",
                            new Text(TaskToolLimits.RESULT_CHARS),
                            "What the agent had said when it failed or was stopped."),
                    Field.optional("progress", new Text(TaskToolLimits.LINE_CHARS), "While it runs."),
                    Field.optional("error", new Text(TaskToolLimits.LINE_CHARS), "Why it failed."),
                    Field.optional("exit_code", new WholeNumber(0, Limits.WHOLE_NUMBER), "Of its program.")))
            .artifacts()
            .usage()
            .json();

    private final TaskApi tasks;
    private final TaskResults results;

    TaskJoinTool(TaskApi tasks) {
        this.tasks = tasks;
        this.results = new TaskResults(tasks);
    }

    @Override
    public String name() {
        return "task_join";
    }

    @Override
    public String description() {
        return "Waits for the end of a background task and returns its result, with artifacts and usage. If the time is"
                + " up before, the status says that it still runs, and you may call again.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return RESULT.copy();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return true;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return 2 * TaskToolLimits.RESULT_BYTES;
    }

    /** The wait is for one task, also if its label is given to another meanwhile. */
    @Override
    public Future<ToolCall> ready(ToolCall call, Future<?> answered) {
        JsonObject given = call.parameters();
        return new SessionTasks(tasks, call.sessionId())
                .find(given.getString("task_id"), given.getString("label"))
                .compose(task -> {
                    StateWait wait = tasks.awaitState(task.taskId(), SessionTask::isDone, given.getLong("timeout_ms"));
                    answered.onComplete(over -> wait.cancel());
                    return wait.state().map(call.with("label", null).with("task_id", task.taskId()));
                });
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        return new SessionTasks(tasks, call.sessionId())
                .find(given.getString("task_id"), given.getString("label"))
                .compose(task -> results.result(task, TaskToolLimits.RESULT_CHARS)
                        .compose(result -> unfinished(task)
                                .compose(partial -> progress(task)
                                        .compose(progress -> results.artifacts(task, result, partial)
                                                .map(artifacts ->
                                                        answer(task, result, partial, progress, artifacts))))));
    }

    private Future<TaskResults.Shown> unfinished(SessionTask task) {
        return task.isOver()
                ? results.partial(task, TaskToolLimits.RESULT_CHARS)
                : Future.succeededFuture(TaskResults.Shown.NOTHING);
    }

    private Future<@Nullable String> progress(SessionTask task) {
        return SessionTask.isDone(task.state()) ? Future.succeededFuture() : results.progress(task);
    }

    private static JsonObject answer(
            SessionTask task,
            TaskResults.Shown result,
            TaskResults.Shown partial,
            @Nullable String progress,
            JsonArray artifacts) {
        return new JsonObject()
                .put("task_id", task.taskId())
                .put("status", task.status())
                .put("result", result.text())
                .put("artifacts", artifacts)
                .put("usage", TaskResults.usage(task))
                .put("label", task.label())
                .put("partial_result", partial.text())
                .put("progress", progress)
                .put("error", TaskResults.error(task))
                .put("exit_code", task.exitCode());
    }
}
