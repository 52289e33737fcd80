package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Limits;
import io.penstock.frames.SpawnSpec;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shows background tasks: one, or the newest of the session. The contract has it under two names. */
final class TaskStatusTool implements Tool {

    static final List<String> WORDS = List.of("spawned", "running", "completed", "failed", "killed", "timeout");

    private static final Set<String> ACTIVE = Set.of("spawned", "running");

    private static final Fields PARAMETERS = Fields.of(
            Field.optional("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "Shows only the task with this id."),
            Field.optional("label", FieldType.id(Limits.LABEL_CHARS), "Only the task with this label."),
            Field.withDefault("active_only", new Flag(), false, "Whether to leave out tasks that have ended."),
            Field.withDefault(
                    "limit",
                    new WholeNumber(1, TaskToolLimits.MOST_LISTED),
                    TaskToolLimits.LISTED,
                    "How many tasks at most, the newest first."));

    private static final FieldType LINE = new Text(TaskToolLimits.LINE_CHARS);
    private static final FieldType COUNT = new WholeNumber(0, Limits.WHOLE_NUMBER);
    private static final FieldType TIME = new Text(Limits.LABEL_CHARS);

    private static final Fields ENTRY = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.optional("label", new Text(Limits.LABEL_CHARS), "As given."),
            Field.optional("title", LINE, "The first line of the instruction."),
            Field.required("status", new Word(WORDS), "Its status."),
            Field.optional("started_at", TIME, "When its program was started."),
            Field.optional("ended_at", TIME, "When it ended."),
            Field.optional("elapsed_secs", COUNT, "From the start to the end, or to now."),
            Field.optional("model", new Text(Limits.TEXT_CHARS), "As given."),
            Field.optional("profile", new Text(Limits.TEXT_CHARS), "The agent program; null for a command."),
            Field.optional("progress", LINE, "What the agent said or did last, and its number of tool calls."),
            Field.required("tool_calls", COUNT, "How many tools the agent has used."),
            Field.optional("updated_at", TIME, "When the agent was last heard of."),
            Field.optional("question", LINE, "What a person is asked; the task waits for the answer."),
            Field.optional("error", LINE, "Why it failed."),
            Field.optional("exit_code", COUNT, "Of its program."),
            Field.optional("parent_task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task that started it."));

    private static final JsonObject RESULT = new ResultSchema(Fields.of())
            .list("tasks", ENTRY, "The newest first.")
            .json();

    private final TaskApi tasks;
    private final TaskResults results;
    private final LongSupplier clockMs;
    private final boolean list;

    private TaskStatusTool(TaskApi tasks, LongSupplier clockMs, boolean list) {
        this.tasks = tasks;
        this.results = new TaskResults(tasks);
        this.clockMs = clockMs;
        this.list = list;
    }

    static Tool status(TaskApi tasks, LongSupplier clockMs) {
        return new TaskStatusTool(tasks, clockMs, false);
    }

    static Tool list(TaskApi tasks, LongSupplier clockMs) {
        return new TaskStatusTool(tasks, clockMs, true);
    }

    @Override
    public String name() {
        return list ? "task_list" : "task_status";
    }

    @Override
    public String description() {
        return list
                ? "Lists the background tasks of this session, the newest first, with status and progress."
                : "Shows the status and the progress of one background task, or of the newest ones, without waiting. Use"
                        + " task_join to wait for an end.";
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
        return TaskToolLimits.ENTRY_BYTES * call.parameters().getLong("limit");
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        var here = new SessionTasks(tasks, call.sessionId());
        boolean one = given.containsKey("task_id") || given.containsKey("label");
        boolean activeOnly = given.getBoolean("active_only");
        Future<List<SessionTask>> found = one
                ? here.find(given.getString("task_id"), given.getString("label"))
                        .map(List::of)
                : here.list(
                        here.ofTools(BACKGROUND_TOOLS),
                        TaskStatusTool::isBackground,
                        task -> !activeOnly || isActive(task),
                        given.getInteger("limit"));
        return found.compose(list -> Future.all(list.stream()
                        .filter(task -> !activeOnly || isActive(task))
                        .map(this::entry)
                        .toList()))
                .map(entries -> new JsonObject().put("tasks", new JsonArray(entries.<JsonObject>list())));
    }

    /** Those whose tasks are listed; the last is of the other contract. */
    static final Set<String> BACKGROUND_TOOLS = Set.of(TaskSpawnTool.NAME, TaskSpawnTool.COMMANDS, "background_task");

    /** Of the commands of a session only those with a title, as task_spawn gives them: not the runs of the tool shell. */
    static boolean isBackground(TaskView view) {
        SpawnSpec asked = view.asked();
        return asked != null && (!asked.toolName().equals(TaskSpawnTool.COMMANDS) || asked.title() != null);
    }

    private static boolean isActive(SessionTask task) {
        return ACTIVE.contains(task.status());
    }

    private Future<JsonObject> entry(SessionTask task) {
        return results.progress(task).map(progress -> entry(task, progress, clockMs.getAsLong()));
    }

    private static JsonObject entry(SessionTask task, @Nullable String progress, long nowMs) {
        AgentSpec agent = task.agent();
        return new JsonObject()
                .put("task_id", task.taskId())
                .put("label", task.label())
                .put("title", task.asked().title())
                .put("status", task.status())
                .put("started_at", time(task.state().run().startedAtMs()))
                .put("ended_at", time(task.state().run().endedAtMs()))
                .put("elapsed_secs", task.elapsedSecs(nowMs))
                .put("model", agent == null ? null : agent.model())
                .put("profile", agent == null ? null : agent.profile())
                .put("progress", progress)
                .put("tool_calls", task.state().agent().toolCalls())
                .put("updated_at", time(task.state().agent().updatedAtMs()))
                .put("question", TaskResults.question(task))
                .put("error", TaskResults.error(task))
                .put("exit_code", task.exitCode())
                .put("parent_task_id", task.links().parentTaskId());
    }

    static @Nullable String time(@Nullable Long atMs) {
        return atMs == null ? null : Instant.ofEpochMilli(atMs).toString();
    }
}
