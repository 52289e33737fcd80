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

    /** What has become of one of the tasks. */
    private record Stopped(SessionTask task, boolean byThis) {}

    @Override
    public Future<JsonObject> call(ToolCall call) {
        String reason = call.parameters().getString("reason");
        return new BackgroundTasks(tasks, call.sessionId())
                .named(call.parameters())
                .compose(named -> Future.all(named.stream()
                        .map(task -> SessionTask.isDone(task.state())
                                ? Future.succeededFuture(new Stopped(task, false))
                                : task.stop(tasks, reason, call.actor()).map(after -> new Stopped(after, true)))
                        .toList()))
                .map(all -> {
                    var entries = new JsonArray();
                    long cancelled = 0;
                    for (Stopped each : all.<Stopped>list()) {
                        String status = BackgroundStatus.of(each.task().state());
                        entries.add(new JsonObject()
                                .put("task_id", BackgroundTasks.id(each.task().taskId()))
                                .put("status", status));
                        if (each.byThis() && BackgroundStatus.CANCELLED.equals(status)) {
                            cancelled++;
                        }
                    }
                    return new JsonObject().put("cancelled", cancelled).put("tasks", entries);
                });
    }
}
