package io.penstock.server.tools.background;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.penstock.server.tools.agents.ResultSchema;
import io.penstock.server.tools.agents.SessionTask;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes ended tasks from the lists of their session. */
final class BackgroundClearTool implements Tool {

    private static final long ANSWER_BYTES = 32 * 1024;

    private static final Fields PARAMETERS = Fields.of(
            Field.optional(
                    "task_id",
                    FieldType.id(Limits.STREAM_ID_CHARS),
                    "The task to clear; without it and batch_id, all that have ended."),
            Field.optional("batch_id", FieldType.id(Limits.LABEL_CHARS), "The ended tasks of this batch."));

    private final TaskApi tasks;
    private final AgentApi agents;

    BackgroundClearTool(TaskApi tasks, AgentApi agents) {
        this.tasks = tasks;
        this.agents = agents;
    }

    @Override
    public String name() {
        return "background_clear";
    }

    @Override
    public String description() {
        return "Removes a background task that has ended from this session's list, with its result; or those of a batch; or"
                + " all that have ended. Running tasks stay: cancel them first.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return new ResultSchema(Fields.of(Field.required(
                        "still_running",
                        new WholeNumber(0, Limits.WHOLE_NUMBER),
                        "How many tasks were left for this reason.")))
                .texts("cleared", "The ids of the tasks that are cleared.")
                .json();
    }

    @Override
    public boolean readOnly(ToolCall call) {
        return false;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return ANSWER_BYTES;
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        var here = new BackgroundTasks(tasks, call.sessionId());
        return given.containsKey("task_id")
                ? here.named(given).compose(named -> clearOne(named.getFirst(), call))
                : clearAll(here, given.getString("batch_id"), call);
    }

    private Future<JsonObject> clearOne(SessionTask task, ToolCall call) {
        if (!task.isOver()) {
            throw new Failure(
                    FailureCode.TASK_NOT_READY,
                    "Only tasks that have ended can be cleared. Current status: " + BackgroundStatus.of(task.state())
                            + ". Use background_cancel first.");
        }
        return clear(List.of(task), 0, call);
    }

    private Future<JsonObject> clearAll(BackgroundTasks here, @Nullable String batch, ToolCall call) {
        return here.living(batch)
                .compose(living -> here.ended(batch, BackgroundTasks.MOST_OF_BATCH)
                        .compose(ended -> {
                            if (batch != null && living.isEmpty() && ended.isEmpty()) {
                                throw BackgroundTasks.noBatch(batch);
                            }
                            return clear(ended.reversed(), living.size(), call);
                        }));
    }

    private Future<JsonObject> clear(List<SessionTask> ended, int stillRunning, ToolCall call) {
        return Future.all(ended.stream()
                        .map(task -> agents.clear(task.taskId(), call.actor()))
                        .toList())
                .map(done -> new JsonObject()
                        .put("still_running", stillRunning)
                        .put(
                                "cleared",
                                new JsonArray(ended.stream()
                                        .map(task -> BackgroundTasks.id(task.taskId()))
                                        .toList())));
    }
}
