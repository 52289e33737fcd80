package io.penstock.server.tools.background;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.StateWait;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.Delivery;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.penstock.server.tools.agents.SessionTask;
import io.penstock.server.tools.agents.TaskToolLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads the status and the result of background tasks: at once, or when they have ended. */
final class BackgroundOutputTool implements Tool {

    private static final long USUAL_WAIT_MS = 30_000;

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task; either this or batch_id."),
            Field.optional(
                    "batch_id", FieldType.id(Limits.LABEL_CHARS), "All tasks of a batch; either this or task_id."),
            Field.withDefault(
                    "block", new Flag(), false, "Whether to wait for the end. Without it, the answer comes at once."),
            Field.optional(
                    "timeout_ms",
                    new WholeNumber(0, TaskToolLimits.WAIT_MS),
                    "Milliseconds that block waits; then the answer is the present status. Default " + USUAL_WAIT_MS
                            + "."));

    private final TaskApi tasks;
    private final AgentApi agents;
    private final BackgroundReports reports;

    BackgroundOutputTool(TaskApi tasks, AgentApi agents, BackgroundReports reports) {
        this.tasks = tasks;
        this.agents = agents;
        this.reports = reports;
    }

    @Override
    public String name() {
        return "background_output";
    }

    @Override
    public String description() {
        return "Reads the status and the progress of a background task, and its result once it is completed; with batch_id,"
                + " of all tasks of a batch. With block=true it waits for the end.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        return new JsonObject()
                .put("type", "object")
                .put(
                        "properties",
                        new JsonObject()
                                .put(
                                        "tasks",
                                        new JsonObject()
                                                .put("type", "array")
                                                .put("items", BackgroundReports.fullSchema())
                                                .put(
                                                        "description",
                                                        "The task, or those of the batch, the oldest first.")))
                .put("required", new JsonArray().add("tasks"));
    }

    /** A repeat retrieves the same result again, which does no harm. */
    @Override
    public boolean readOnly(ToolCall call) {
        return true;
    }

    @Override
    public long answerBytes(ToolCall call) {
        return call.parameters().containsKey("batch_id")
                ? BackgroundTasks.MOST_OF_BATCH * (TaskToolLimits.ENTRY_BYTES + 8L * TaskToolLimits.LEAST_RESULT_CHARS)
                : TaskToolLimits.RESULT_BYTES;
    }

    @Override
    public Future<ToolCall> ready(ToolCall call, Future<?> answered) {
        JsonObject given = call.parameters();
        boolean block = given.getBoolean("block");
        if (!block && given.containsKey("timeout_ms")) {
            throw RequestFields.wrong(
                    "timeout_ms is for block=true, and without it the answer comes at once; leave it out");
        }
        if (!block) {
            return Future.succeededFuture(call);
        }
        long waitMs = given.getLong("timeout_ms", USUAL_WAIT_MS);
        return here(call)
                .named(given)
                .compose(named -> {
                    var running = new AtomicInteger(named.size());
                    return Future.all(named.stream()
                            .map(task -> ended(task, waitMs, running, answered))
                            .toList());
                })
                .map(done -> call);
    }

    /**
     * Waits for the end of a task. Only the last end of a call goes without a notification, because its answer follows at once; the others
     * are not held up for it.
     */
    private Future<TaskState> ended(SessionTask task, long waitMs, AtomicInteger running, Future<?> answered) {
        Delivery delivery = agents.expect(task.taskId());
        StateWait wait = tasks.awaitState(task.taskId(), SessionTask::isDone, waitMs);
        answered.onComplete(over -> wait.cancel());
        return wait.state().onComplete(state -> {
            boolean last = running.decrementAndGet() == 0;
            if (last && state.succeeded() && SessionTask.isOver(state.result())) {
                int run = state.result().run().number();
                answered.onSuccess(written -> delivery.delivered(run)).onFailure(gone -> delivery.missed());
            } else {
                delivery.missed();
            }
        });
    }

    private BackgroundTasks here(ToolCall call) {
        return new BackgroundTasks(tasks, call.sessionId());
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        return here(call)
                .named(call.parameters())
                .compose(named -> {
                    int chars = named.size() == 1
                            ? TaskToolLimits.RESULT_CHARS
                            : Math.clamp(
                                    TaskToolLimits.RESULTS_CHARS / named.size(),
                                    TaskToolLimits.LEAST_RESULT_CHARS,
                                    TaskToolLimits.RESULT_CHARS);
                    List<Future<JsonObject>> all = named.stream()
                            .map(task -> reports.full(task, call.actor(), chars))
                            .toList();
                    return Future.all(all);
                })
                .map(all -> new JsonObject().put("tasks", new JsonArray(all.<JsonObject>list())));
    }
}
