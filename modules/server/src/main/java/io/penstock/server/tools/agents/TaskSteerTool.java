package io.penstock.server.tools.agents;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.StateWait;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends a running agent another instruction. */
final class TaskSteerTool implements Tool {

    private static final long ANSWER_BYTES = 1024;

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task; either this or label."),
            Field.optional("label", FieldType.id(Limits.LABEL_CHARS), "The label of the task; either this or task_id."),
            Field.required("message", new Text(Limits.ARGS_BYTES), "The instruction to add to its conversation."));

    private static final Fields RESULT = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.optional("label", new Text(Limits.LABEL_CHARS), "As given."),
            Field.required("status", new Word(TaskStatusTool.WORDS), "Its status after that."),
            Field.required(
                    "delivered",
                    new Flag(),
                    "Whether the agent has the message now; if not, it gets it as soon as it lets its work be interrupted."));

    private final TaskApi tasks;
    private final AgentApi agents;

    TaskSteerTool(TaskApi tasks, AgentApi agents) {
        this.tasks = tasks;
        this.agents = agents;
    }

    @Override
    public String name() {
        return "task_steer";
    }

    @Override
    public String description() {
        return "Sends a running background task another instruction, which its agent takes into account in its present"
                + " work. A task that has ended or runs a command takes none.";
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
        return ANSWER_BYTES;
    }

    /** An agent that was just started, or is started again, takes a message as soon as this run of it has its first. */
    @Override
    public Future<ToolCall> ready(ToolCall call, Future<?> answered) {
        JsonObject given = call.parameters();
        Spawns.notBlank(given.getString("message"), "message");
        return new SessionTasks(tasks, call.sessionId())
                .find(given.getString("task_id"), given.getString("label"))
                .compose(task -> {
                    requireAgent(task);
                    StateWait wait =
                            tasks.awaitState(task.taskId(), TaskSteerTool::takesMessages, TaskToolLimits.OPENED_MS);
                    answered.onComplete(over -> wait.cancel());
                    return wait.state().map(call.with("label", null).with("task_id", task.taskId()));
                });
    }

    private static boolean takesMessages(TaskState state) {
        return SessionTask.isOver(state)
                || state.phase() == Phase.STOPPING
                || state.phase() == Phase.IDLE
                || state.runningTurn() != null;
    }

    private static void requireAgent(SessionTask task) {
        if (task.agent() == null) {
            throw RequestFields.wrong("The task " + task.taskId() + " runs a command, which takes no messages");
        }
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        return new SessionTasks(tasks, call.sessionId())
                .find(given.getString("task_id"), given.getString("label"))
                .compose(task -> {
                    requireAgent(task);
                    if (task.isOver() || task.state().phase() == Phase.STOPPING) {
                        throw new Failure(
                                FailureCode.TASK_NOT_READY,
                                "Only a running task can be steered. Current status: "
                                        + (task.isOver() ? task.status() : "being stopped"));
                    }
                    return agents.prompt(
                                    task.taskId(),
                                    TaskTurnStarted.Kind.STEER,
                                    given.getString("message"),
                                    null,
                                    call.actor())
                            .map(turn -> true)
                            .timeout(TaskToolLimits.STEER_MS, TimeUnit.MILLISECONDS)
                            .recover(e -> e instanceof TimeoutException
                                    ? Future.succeededFuture(false)
                                    : Future.failedFuture(e))
                            .compose(delivered -> tasks.state(task.taskId())
                                    .map(state -> new JsonObject()
                                            .put("task_id", task.taskId())
                                            .put("label", task.label())
                                            .put("status", new SessionTask(task.taskId(), state).status())
                                            .put("delivered", delivered)));
                });
    }
}
