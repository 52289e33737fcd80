package io.penstock.server.tools.agents;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.AgentRequest;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SpawnReader;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.Nested;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts a background task: an agent, or a command. */
final class TaskSpawnTool implements Tool {

    static final String NAME = "task_spawn";

    /** The tool under which commands are recorded, so that a rule of policy about it holds for them too. */
    static final String COMMANDS = "shell";

    private static final long ANSWER_BYTES = 1024;

    private static final List<String> OF_AGENTS = List.of("context", "profile", "model", "thinking");

    private static final Fields ON_END = Fields.of(
            Field.required(
                    "resume",
                    FieldType.id(Limits.STREAM_ID_CHARS),
                    "The task_id of the agent task of this session to wake."),
            Field.required("message", new Text(Limits.TEXT_CHARS), "What it is told, before the facts about the end."));

    private static final Fields RESULT = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.optional("label", new Text(Limits.LABEL_CHARS), "As given."),
            Field.required("status", new Word(List.of("spawned")), "It starts when there is room for it."));

    private final TaskApi tasks;
    private final AgentApi agents;
    private final Spawns spawns;
    private final Fields parameters;

    TaskSpawnTool(TaskApi tasks, AgentApi agents, TaskToolSettings settings) {
        this.tasks = tasks;
        this.agents = agents;
        this.spawns = new Spawns(tasks, settings);
        this.parameters = Fields.of(
                Field.required(
                        "task",
                        new Text(Limits.ARGS_BYTES),
                        "The instruction for the background task; of a command, what it is for."),
                Field.optional(
                        "label",
                        FieldType.id(Limits.LABEL_CHARS),
                        "Your name for the task, by which the other task tools find it."),
                Field.optional(
                        "context",
                        new Text(Limits.ARGS_BYTES),
                        "Data for the task, such as the content of a file. It sees nothing else of this conversation."),
                Spawns.MODEL,
                Field.withDefault(
                        "timeout_secs",
                        new WholeNumber(1, settings.maxTimeoutSecs()),
                        settings.defaultTimeoutSecs(),
                        "Seconds until the task is stopped."),
                Field.withDefault("notify", new Flag(), true, "Whether its end is reported to this session."),
                Spawns.THINKING,
                Field.optional(
                        "profile",
                        new Text(Limits.LABEL_CHARS),
                        "The configured agent program that does the task; default: the usual one."),
                Field.optional(
                        "command",
                        new Text(Limits.ARGS_BYTES),
                        "A command for /bin/sh, which is run in place of an agent."),
                Spawns.CWD,
                Spawns.PARENT,
                Field.optional(
                        "on_end",
                        new Nested(ON_END),
                        "Wakes an agent task when this one ends: its conversation continues with the message."));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Starts a background task and returns at once: an agent with a conversation of its own that works on the"
                + " instruction, or with command a program. Use task_join to wait for its result, task_status to look"
                + " after it, task_steer to send it another instruction.";
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
        JsonObject given = call.parameters();
        String task = Spawns.notBlank(given.getString("task"), "task");
        boolean command = given.containsKey("command");
        if (command) {
            for (String name : OF_AGENTS) {
                if (given.containsKey(name)) {
                    throw RequestFields.wrong(
                            name + " is for an agent, and command starts none; leave one of them out");
                }
            }
            Spawns.notBlank(given.getString("command"), "command");
        }
        return wake(call)
                .compose(wake -> spawns.links(call, null, given.getBoolean("notify"), wake))
                .compose(links ->
                        command ? tasks.spawn(command(call, task, links)) : agents.spawn(agent(call, task, links)))
                .map(taskId -> new JsonObject()
                        .put("task_id", taskId)
                        .put("label", given.getString("label"))
                        .put("status", "spawned"));
    }

    private Future<TaskLinks.@Nullable Wake> wake(ToolCall call) {
        JsonObject onEnd = call.parameters().getJsonObject("on_end");
        if (onEnd == null) {
            return Future.succeededFuture();
        }
        return new SessionTasks(tasks, call.sessionId())
                .byId(onEnd.getString("resume"))
                .map(woken -> {
                    if (woken.agent() == null) {
                        throw RequestFields.wrong(
                                "on_end.resume must be an agent task, but " + woken.taskId() + " runs a command");
                    }
                    return new TaskLinks.Wake(woken.taskId(), onEnd.getString("message"));
                });
    }

    private AgentRequest agent(ToolCall call, String task, TaskLinks links) {
        JsonObject given = call.parameters();
        return new AgentRequest(
                NAME,
                call.sessionId(),
                Spawns.prompt(task, given.getString("context")),
                null,
                given.getString("profile"),
                given.getString("model"),
                given.getString("thinking"),
                AgentSpec.AfterTurn.END,
                TaskLabel.ofNullable(given.getString("label")),
                Spawns.title(task),
                Spawns.cwd(given),
                links,
                timeout(given),
                call.actor());
    }

    private static TaskRequest command(ToolCall call, String task, TaskLinks links) {
        JsonObject given = call.parameters();
        JsonObject args = new JsonObject().put("command", given.getString("command"));
        if (given.containsKey("cwd")) {
            args.put("cwd", given.getString("cwd"));
        }
        var spawn = new JsonObject()
                .put("tool", COMMANDS)
                .put("title", Spawns.title(task))
                .put("label", given.getString("label"))
                .put("origin_session_id", call.sessionId())
                .put("timeout_secs", given.getLong("timeout_secs"))
                .put("args", args);
        byte[] json = spawn.encode().getBytes(StandardCharsets.UTF_8);
        return SpawnReader.read(RequestFields.parse(json, "The command"), call.actor(), links);
    }

    private static Duration timeout(JsonObject given) {
        return Duration.ofSeconds(given.getLong("timeout_secs"));
    }
}
