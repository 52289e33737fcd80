package io.penstock.server.tools.background;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.AgentRequest;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.ModelText;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.penstock.server.tools.agents.SessionTask;
import io.penstock.server.tools.agents.Spawns;
import io.penstock.server.tools.agents.TaskToolLimits;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Starts a background task, or continues the conversation of one that is completed. */
final class BackgroundTaskTool implements Tool {

    private static final long ANSWER_BYTES = 4096;

    /** Between the opening of a conversation that fails and the end of the run are a notice and the ends of the outputs. */
    private static final int LAST_FRAMES = 32;

    private static final Set<String> OF_RESUME = Set.of("resume", "prompt", "message_id", "timeout_secs");

    private static final Fields RESULT = Fields.of(
            Field.required(
                    "task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task, for the other background tools."),
            Field.required(
                    "status",
                    new Word(BackgroundStatus.WORDS),
                    "running, or resumed; the end is reported to the session."),
            Field.optional("description", new Text(TaskToolLimits.LINE_CHARS), "As given."),
            Field.optional("agent", new Text(Limits.TEXT_CHARS), "The agent program that does it."),
            Field.optional("batchId", new Text(Limits.LABEL_CHARS), "The batch that it belongs to."),
            Field.required("resumeCount", new WholeNumber(0, Limits.WHOLE_NUMBER), "How often it was resumed."),
            Field.required(
                    "parent_session_id", FieldType.id(Limits.STREAM_ID_CHARS), "The session that it reports to."),
            Field.optional("parent_message_id", new Text(Limits.STREAM_ID_CHARS), "As given."),
            Field.required("note", new Text(Limits.TEXT_CHARS), "What to do next."));

    private final Vertx vertx;
    private final TaskApi tasks;
    private final AgentApi agents;
    private final TaskToolSettings settings;
    private final Spawns spawns;
    private final Fields parameters;

    BackgroundTaskTool(Vertx vertx, TaskApi tasks, AgentApi agents, TaskToolSettings settings) {
        this.vertx = vertx;
        this.tasks = tasks;
        this.agents = agents;
        this.settings = settings;
        this.spawns = new Spawns(tasks, settings);
        this.parameters = Fields.of(
                Field.optional(
                        "description",
                        new Text(TaskToolLimits.LINE_CHARS),
                        "What the task is for, in a few words: shown in lists. Needed unless you resume a task."),
                Field.optional("prompt", new Text(Limits.ARGS_BYTES), "The instruction for the agent. Always needed."),
                Field.optional(
                        "agent",
                        new Text(Limits.LABEL_CHARS),
                        "The configured agent program that does it; default: the usual one."),
                Field.optional(
                        "resume",
                        FieldType.id(Limits.STREAM_ID_CHARS),
                        "The task_id of a completed task: the prompt continues its conversation."),
                Field.optional(
                        "batch_id",
                        FieldType.id(Limits.LABEL_CHARS),
                        "The batch that it belongs to; default: that of the running tasks, else a new one."),
                Spawns.MODEL,
                Spawns.THINKING,
                Field.optional(
                        "timeout_secs",
                        new WholeNumber(1, settings.maxTimeoutSecs()),
                        "Seconds until the task is stopped. Default " + settings.defaultTimeoutSecs() + "."),
                Spawns.CWD,
                Spawns.PARENT,
                Field.optional(
                        "message_id",
                        new Text(Limits.STREAM_ID_CHARS),
                        "The caller's message that asks for it; recorded with the prompt."));
    }

    @Override
    public String name() {
        return BackgroundTasks.TOOL;
    }

    @Override
    public String description() {
        return "Starts an agent in the background and returns at once; or, with resume, sends a completed task a further"
                + " prompt in its conversation. The end is reported to this session with the agent's full answer, so do not"
                + " poll; background_output reads it too.";
    }

    @Override
    public Fields parameters() {
        return parameters;
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

    @Override
    public Future<JsonObject> call(ToolCall call) {
        return call.parameters().containsKey("resume") ? resume(call) : start(call);
    }

    private Future<JsonObject> start(ToolCall call) {
        JsonObject given = call.parameters();
        needed(given, "description");
        needed(given, "prompt");
        String parent = given.getString(Spawns.PARENT.name());
        String batch = given.getString("batch_id");
        var here = new BackgroundTasks(tasks, call.sessionId());
        return (batch != null ? start(call, batch) : here.inBatch(vertx, parent, chosen -> start(call, chosen)))
                .compose(taskId -> tasks.state(taskId).map(state -> new SessionTask(taskId, state)))
                .map(task -> answer(task, call, "It runs in the background; its end is reported to this session."));
    }

    private static void needed(JsonObject given, String name) {
        String text = given.getString(name);
        if (text == null) {
            throw RequestFields.wrong(name + " must be a string, but is missing");
        }
        Spawns.notBlank(text, name);
    }

    private Future<String> start(ToolCall call, String batch) {
        return spawns.links(call, batch, true, null).compose(links -> agents.spawn(request(call, links)));
    }

    private AgentRequest request(ToolCall call, TaskLinks links) {
        JsonObject given = call.parameters();
        return new AgentRequest(
                BackgroundTasks.TOOL,
                call.sessionId(),
                Spawns.prompt(given.getString("prompt"), null),
                given.getString("message_id"),
                given.getString("agent"),
                given.getString("model"),
                given.getString("thinking"),
                AgentSpec.AfterTurn.END,
                null,
                ModelText.plain(given.getString("description")).strip(),
                Spawns.cwd(given),
                links,
                timeout(given),
                call.actor());
    }

    private Duration timeout(JsonObject given) {
        return Duration.ofSeconds(given.getLong("timeout_secs", settings.defaultTimeoutSecs()));
    }

    private Future<JsonObject> resume(ToolCall call) {
        JsonObject given = call.parameters();
        for (String name : given.fieldNames()) {
            if (!OF_RESUME.contains(name)) {
                throw RequestFields.wrong(
                        name + " is for a new task, and resume continues an old one; leave one of them out");
            }
        }
        String prompt = given.getString("prompt");
        if (prompt == null || prompt.isBlank()) {
            throw RequestFields.wrong("Prompt is required when resuming a task");
        }
        String input = Spawns.prompt(prompt, null);
        return new BackgroundTasks(tasks, call.sessionId())
                .find(given.getString("resume"))
                .compose(this::completed)
                .compose(task -> agents.resume(
                                task.taskId(), input, given.getString("message_id"), timeout(given), call.actor())
                        .recover(e -> refused(e, task.taskId()))
                        .compose(run -> opened(task, run)))
                .map(task ->
                        answer(task, call, "The agent works on the prompt; its answer is reported to this session."));
    }

    /** The task when its program has ended, which takes a moment after its agent has settled. */
    private Future<SessionTask> completed(SessionTask task) {
        requireCompleted(task.state());
        return tasks.awaitState(task.taskId(), SessionTask::isOver, TaskToolLimits.STOP_MS)
                .state()
                .map(state -> {
                    requireCompleted(state);
                    return new SessionTask(task.taskId(), state);
                });
    }

    private static void requireCompleted(TaskState state) {
        String status = BackgroundStatus.of(state);
        if (status.equals(BackgroundStatus.RESUMED)) {
            throw new Failure(FailureCode.TASK_NOT_READY, "Task is currently being resumed. Wait for completion.");
        }
        if (!status.equals(BackgroundStatus.COMPLETED)) {
            throw new Failure(
                    FailureCode.TASK_NOT_READY, "Only completed tasks can be resumed. Current status: " + status);
        }
    }

    /** Another resume may have been first. */
    private Future<Integer> refused(Throwable why, String taskId) {
        return tasks.state(taskId).compose(state -> {
            requireCompleted(state);
            return Future.failedFuture(why);
        });
    }

    /** The task when its agent has opened the conversation again, or still without that if the machine is busy. */
    private Future<SessionTask> opened(SessionTask before, int run) {
        int turns = before.state().turns();
        return tasks.awaitState(
                        before.taskId(),
                        state -> state.run().number() != run || state.turns() > turns || SessionTask.isOver(state),
                        TaskToolLimits.OPENED_MS)
                .state()
                .compose(state -> SessionTask.isOver(state) && state.run().number() == run && state.turns() == turns
                        ? notOpened(before.taskId(), state)
                        : Future.succeededFuture(new SessionTask(before.taskId(), state)));
    }

    /** Why a run ended before its turn: the agent says that it does not have the conversation, or anything else. */
    private Future<SessionTask> notOpened(String taskId, TaskState state) {
        return tasks.range(taskId, Math.max(0, state.nextSeq() - LAST_FRAMES), state.nextSeq())
                .compose(frames -> Future.failedFuture(
                        isSessionMissing(frames)
                                ? new Failure(
                                        FailureCode.SESSION_GONE,
                                        "Session expired or was deleted. Start a new background_task to continue.")
                                : notResumed(state)));
    }

    private static boolean isSessionMissing(List<Frame> ofRun) {
        boolean missing = false;
        for (Frame frame : ofRun) {
            missing = !(frame.body() instanceof TaskRunStarted)
                    && (missing
                            || frame.body() instanceof TaskNotice notice
                                    && notice.code().equals(TaskNotice.SESSION_MISSING));
        }
        return missing;
    }

    /** The run is over, so a repeat of the call is refused for the status of the task. */
    private static Failure notResumed(TaskState state) {
        ToolTaskCancelRequested stop = state.run().stop();
        String why = stop == null
                ? Objects.requireNonNullElse(state.run().error(), "its run ended")
                : "it was stopped" + (stop.reason() == null ? "" : ": " + stop.reason());
        boolean started = state.run().startedAtMs() != null;
        return new Failure(
                FailureCode.TASK_NOT_READY,
                "The agent did not get the prompt: " + (started || stop != null ? "" : "its program was not started: ")
                        + why + ". Start a new background_task to continue.");
    }

    private static JsonObject answer(SessionTask task, ToolCall call, String note) {
        AgentSpec agent = task.agent();
        return new JsonObject()
                .put("task_id", BackgroundTasks.id(task.taskId()))
                .put("status", BackgroundStatus.of(task.state()))
                .put("description", task.asked().title())
                .put("agent", agent == null ? null : agent.profile())
                .put("batchId", task.links().batch())
                .put("resumeCount", task.state().agent().resumes())
                .put("parent_session_id", call.sessionId())
                .put("parent_message_id", call.parameters().getString("message_id"))
                .put("note", note);
    }
}
