package io.penstock.server.tools.background;

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
import io.penstock.server.tools.agents.ResultSchema;
import io.penstock.server.tools.agents.SessionTask;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Stops running background tasks. */
final class BackgroundCancelTool implements Tool {

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task; either this or batch_id."),
            Field.optional(
                    "batch_id", FieldType.id(Limits.LABEL_CHARS), "All tasks of a batch; either this or task_id."),
            Field.optional("reason", new Text(Limits.TEXT_CHARS), "Recorded with the task: why it is stopped."));

    /** Short, so that the answer about a batch can be kept for repeats of the call. */
    private static final Fields ENTRY = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.required("status", new Word(BackgroundStatus.WORDS), "Its status."));

    private static final long ENTRY_BYTES = 128;

    private final TaskApi tasks;

    BackgroundCancelTool(TaskApi tasks) {
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "background_cancel";
    }

    @Override
    public String description() {
        return "Stops a running background task with all that it has started, or with batch_id all running tasks of a"
                + " batch. Has no effect on tasks that have ended.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return new ResultSchema(Fields.of(Field.required(
                        "cancelled", new WholeNumber(0, Limits.WHOLE_NUMBER), "How many tasks this call has stopped.")))
                .list("tasks", ENTRY, "The tasks as they are now.")
                .json();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return false;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return BackgroundTasks.MOST_OF_BATCH * ENTRY_BYTES;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        String batch = given.getString("batch_id");
        var here = new BackgroundTasks(tasks, call.sessionId());
        return here.named(given)
                .compose(named -> (batch == null ? Future.succeededFuture(named) : here.living(batch))
                        .compose(found -> stopped(found, call))
                        .map(stopped -> answer(named, stopped)));
    }

    /** Those of the tasks that had not ended, as they are afterwards. */
    private Future<Map<String, SessionTask>> stopped(List<SessionTask> found, ToolCall call) {
        String reason = call.parameters().getString("reason");
        return Future.all(found.stream()
                        .filter(task -> !SessionTask.isDone(task.state()))
                        .map(task -> task.stop(tasks, reason, call.actor()))
                        .toList())
                .map(all -> all.<SessionTask>list().stream()
                        .collect(Collectors.toMap(SessionTask::taskId, Function.identity())));
    }

    private static JsonObject answer(List<SessionTask> named, Map<String, SessionTask> stopped) {
        var entries = new JsonArray();
        for (SessionTask each : named) {
            SessionTask now = stopped.getOrDefault(each.taskId(), each);
            entries.add(new JsonObject()
                    .put("task_id", BackgroundTasks.id(now.taskId()))
                    .put("status", BackgroundStatus.of(now.state())));
        }
        long cancelled = stopped.values().stream()
                .filter(task -> BackgroundStatus.CANCELLED.equals(BackgroundStatus.of(task.state())))
                .count();
        return new JsonObject().put("cancelled", cancelled).put("tasks", entries);
    }
}
