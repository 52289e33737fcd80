package io.penstock.server.tools.shell;

import io.penstock.engine.pump.StateWait;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SpawnReader;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Flag;
import io.penstock.server.tools.FieldType.ObjectList;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCall;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs shell commands: in the background with {@code action}, or to their end without. A run is a task. */
final class ShellTool implements Tool {

    private static final Fields WATCH = Fields.of(
            Field.required("regex", new Text(Limits.WATCH_PATTERN_CHARS), "A pattern in RE2 syntax."),
            Field.required("event", new Text(Limits.WATCH_EVENT_CHARS), "Your name for a match."),
            Field.optional("stream", new Word(List.of("stdout", "stderr", "pty")), "Default: all outputs."),
            Field.optional("once", new Flag(), "Whether the first match is the only one. Default false."),
            Field.optional(
                    "scope",
                    new Word(List.of("line", "window")),
                    "line: a match lies in one line. window: it may span lines. Default line."));

    private static final Fields PARAMETERS = Fields.of(
            Field.optional(
                    "action",
                    new Word(List.of("spawn", "poll", "log", "kill", "send_keys")),
                    "spawn starts a run and returns at once; poll reads its state and what is new; log reads its items"
                            + " page by page; kill stops it; send_keys types into it. Without an action, the command is"
                            + " run to its end."),
            Field.optional("command", new Text(Limits.ARGS_BYTES), "The command, for /bin/sh: spawn, or no action."),
            Field.optional(
                    "background", new Flag(), "Recorded with the run; spawn always returns at once. Default true."),
            Field.optional("pty", new Flag(), "Whether the run has a terminal. Default false."),
            Field.optional(
                    "timeout_secs",
                    new WholeNumber(1, ShellLimits.LONGEST_TIMEOUT_SECONDS),
                    "Seconds until the run is stopped. Default " + ShellLimits.TIMEOUT_SECONDS + "."),
            Field.optional(
                    "max_output_bytes",
                    new WholeNumber(1, ShellLimits.MOST_OUTPUT_BYTES),
                    "Shown output, stdout and stderr together. Default " + ShellLimits.OUTPUT_BYTES + "."),
            Field.optional(
                    "watch",
                    new ObjectList(WATCH, Limits.WATCHERS),
                    "Patterns to find in the output: each match becomes an item of type event."),
            Field.optional("run_id", FieldType.id(Limits.STREAM_ID_CHARS), "The run: poll, log, kill, send_keys."),
            Field.optional(
                    "since_seq",
                    new WholeNumber(0, Limits.WHOLE_NUMBER),
                    "next_seq of the previous answer; only what came after it is returned. Default 0."),
            Field.optional(
                    "limit",
                    new WholeNumber(1, ShellLimits.MOST_LOG_ITEMS),
                    "Items of one page of log. Default " + ShellLimits.LOG_ITEMS + "."),
            Field.optional("stream", new Word(List.of("stdout", "stderr")), "Only items of this output: log."),
            Field.optional(
                    "wait_ms",
                    new WholeNumber(0, ShellLimits.WAIT_MS),
                    "Milliseconds that poll waits for something new. Default 0."),
            Field.optional(
                    "keys",
                    new Text(Limits.STDIN_BYTES),
                    "Names of keys separated by spaces, such as Enter, C-c, Up or F1; anything else is typed as it"
                            + " stands: send_keys."),
            Field.optional("reason", new Text(Limits.TEXT_CHARS), "Recorded with a kill."));

    private static final Fields RESULT = Fields.of(
            Field.required("run_id", FieldType.id(Limits.STREAM_ID_CHARS), "The run."),
            Field.optional("session_id", FieldType.id(Limits.STREAM_ID_CHARS), "Its session."),
            Field.required(
                    "status",
                    new Word(List.of("queued", "running", "succeeded", "failed", "canceled", "timed_out")),
                    "Its status."),
            Field.optional("note", new Text(Limits.TEXT_CHARS), "What to do next."),
            Field.optional("command", new Text(Limits.ARGS_BYTES), "The command."),
            Field.optional("background", new Flag(), "As given."),
            Field.optional("pty", new Flag(), "Whether it has a terminal."),
            Field.optional("exit_code", new WholeNumber(0, Integer.MAX_VALUE), "At the end; 128 + n for signal n."),
            Field.optional("output_bytes", new WholeNumber(0, Limits.WHOLE_NUMBER), "All output so far."),
            Field.optional("truncated", new Flag(), "Whether output beyond max_output_bytes was left out."),
            Field.optional("error_message", new Text(Limits.TEXT_CHARS), "Why it failed."),
            Field.optional("queued_at", new Text(Limits.LABEL_CHARS), "When it was accepted."),
            Field.optional("started_at", new Text(Limits.LABEL_CHARS), "When its program started."),
            Field.optional("finished_at", new Text(Limits.LABEL_CHARS), "When it ended."),
            Field.optional("updated_at", new Text(Limits.LABEL_CHARS), "When its newest event happened."),
            Field.optional("since_seq", new WholeNumber(0, Limits.WHOLE_NUMBER), "As given."),
            Field.optional("next_seq", new WholeNumber(0, Limits.WHOLE_NUMBER), "since_seq of the next call."),
            Field.optional("snippet", new Text(Limits.SNIPPET_CHARS), "The end of the output."),
            Field.optional(
                    "stdout", new Text(ShellLimits.OUTPUT_CHARS), "The start of the output of a run without action."),
            Field.optional("stderr", new Text(ShellLimits.OUTPUT_CHARS), "The start of its error output."),
            Field.optional(
                    "shortened",
                    new Flag(),
                    "Whether stdout, stderr or command go on where they end here; log with this run_id has the rest of the outputs."));

    private static final Map<String, Set<String>> OF_ACTION = Map.of(
            "",
            Set.of("command", "pty", "timeout_secs", "max_output_bytes", "watch"),
            "spawn",
            Set.of("command", "background", "pty", "timeout_secs", "max_output_bytes", "watch"),
            "poll",
            Set.of("run_id", "since_seq", "wait_ms"),
            "log",
            Set.of("run_id", "since_seq", "limit", "stream"),
            "kill",
            Set.of("run_id", "reason"),
            "send_keys",
            Set.of("run_id", "keys"));

    private final Vertx vertx;
    private final TaskApi tasks;

    ShellTool(Vertx vertx, TaskApi tasks) {
        this.vertx = vertx;
        this.tasks = tasks;
    }

    @Override
    public String name() {
        return "shell";
    }

    @Override
    public String description() {
        return "Runs a shell command. Use action=spawn for anything that may take more than a few seconds, then poll"
                + " with the returned next_seq as since_seq. Runs of one session run one after the other.";
    }

    @Override
    public Fields parameters() {
        return PARAMETERS;
    }

    @Override
    public JsonObject resultSchema() {
        JsonObject schema =
                RESULT.ofResult().put("required", new JsonArray().add("run_id").add("status"));
        schema.getJsonObject("properties").put("items", ShellItem.SCHEMA);
        return schema;
    }

    /** A run without action holds its share to its end, so it takes no more than such an answer has: two outputs and the command. */
    @Override
    public long answerBytes(ToolCall call) {
        return runs(call)
                ? ShellLimits.RUN_ANSWER_BYTES
                        + 6L * call.parameters().getString("command", "").length()
                : ShellLimits.ANSWER_BYTES;
    }

    @Override
    public boolean readOnly(ToolCall call) {
        String action = call.parameters().getString("action", "");
        return action.equals("poll") || action.equals("log");
    }

    @Override
    public boolean runs(ToolCall call) {
        return !call.parameters().containsKey("action");
    }

    /** A poll waits before it takes memory, so that thousands may wait. */
    @Override
    public Future<ToolCall> ready(ToolCall call, Future<?> answered) {
        JsonObject given = call.parameters();
        check(given);
        long waitMs = given.getLong("wait_ms", 0L);
        if (!"poll".equals(given.getString("action")) || waitMs == 0) {
            return Future.succeededFuture(call);
        }
        String runId = runId(given);
        long since = given.getLong("since_seq", 0L);
        StateWait wait = tasks.awaitState(
                runId, state -> state.run().ending() != null || ShellItems.cursor(state.nextSeq()) > since, waitMs);
        answered.onComplete(over -> wait.cancel());
        return wait.state().map(call);
    }

    @Override
    public Future<JsonObject> call(ToolCall call) {
        JsonObject given = call.parameters();
        check(given);
        return switch (given.getString("action", "")) {
            case "spawn" -> spawn(call);
            case "poll" -> run(given).compose(run -> poll(run, given));
            case "log" -> run(given).compose(run -> log(run, given));
            case "kill" -> kill(call);
            case "send_keys" -> sendKeys(call);
            default -> runToTheEnd(call);
        };
    }

    /** Refuses parameters of another action: the caller would believe that they had an effect. */
    private static void check(JsonObject given) {
        String action = given.getString("action", "");
        Set<String> known = OF_ACTION.getOrDefault(action, Set.of());
        for (String name : given.fieldNames()) {
            if (!name.equals("action") && !known.contains(name)) {
                throw RequestFields.wrong(
                        name + " is no parameter of " + (action.isEmpty() ? "a call without action" : action));
            }
        }
    }

    private static String runId(JsonObject given) {
        String runId = given.getString("run_id");
        if (runId == null) {
            throw RequestFields.wrong("run_id must be the run_id that spawn returned, but is missing");
        }
        return runId;
    }

    private Future<ShellRun> run(JsonObject given) {
        String runId = runId(given);
        return tasks.state(runId).compose(state -> ShellRun.of(vertx, tasks, runId, state));
    }

    private Future<JsonObject> spawn(ToolCall call) {
        JsonObject given = call.parameters();
        boolean pty = given.getBoolean("pty", false);
        return start(call)
                .map(runId -> new JsonObject()
                        .put("run_id", runId)
                        .put("session_id", call.sessionId())
                        .put("status", "queued")
                        .put("queued_at", Instant.now().toString())
                        .put("background", given.getBoolean("background", true))
                        .put("pty", pty)
                        .put("note", "Poll with this run_id; do not wait for the run in a loop without wait_ms."));
    }

    private Future<String> start(ToolCall call) {
        JsonObject given = call.parameters();
        String command = given.getString("command");
        if (command == null) {
            throw RequestFields.wrong("command must be the command to run, but is missing");
        }
        long cap = given.getLong("max_output_bytes", ShellLimits.OUTPUT_BYTES);
        var spawn = new JsonObject()
                .put("tool", "shell")
                .put("execution_mode", given.getBoolean("pty", false) ? "pty" : "pipes")
                .put("origin_session_id", call.sessionId())
                .put("serial", true)
                .put("on_lost", given.getBoolean("pty", false) ? "end" : "requeue")
                .put("timeout_secs", given.getLong("timeout_secs", (long) ShellLimits.TIMEOUT_SECONDS))
                .put("watch", given.getJsonArray("watch"))
                .put(
                        "args",
                        new JsonObject()
                                .put("command", command)
                                .put("artifact_max_bytes", cap)
                                .put("max_bytes", cap)
                                .put("keep", "head"));
        byte[] json = spawn.encode().getBytes(StandardCharsets.UTF_8);
        return tasks.spawn(SpawnReader.read(RequestFields.parse(json, "The command"), call.actor()));
    }

    private Future<JsonObject> poll(ShellRun run, JsonObject given) {
        long since = given.getLong("since_seq", 0L);
        return run.items(since, ShellLimits.POLL_ITEMS, null)
                .compose(items -> run.snippet()
                        .compose(snippet -> run.times()
                                .map(times -> run.toJson()
                                        .mergeIn(times)
                                        .put("since_seq", since)
                                        .put("next_seq", items.nextSeq())
                                        .put("snippet", snippet)
                                        .put("items", items.toJson()))));
    }

    private static Future<JsonObject> log(ShellRun run, JsonObject given) {
        long since = given.getLong("since_seq", 0L);
        String stream = given.getString("stream");
        Channel channel = stream == null ? null : "stderr".equals(stream) ? Channel.STDERR : run.output();
        return run.items(since, given.getInteger("limit", ShellLimits.LOG_ITEMS), channel)
                .map(items -> new JsonObject()
                        .put("run_id", run.runId())
                        .put("session_id", run.toJson().getValue("session_id"))
                        .put("status", run.toJson().getString("status"))
                        .put("since_seq", since)
                        .put("next_seq", items.nextSeq())
                        .put("items", items.toJson()));
    }

    private Future<JsonObject> kill(ToolCall call) {
        String runId = runId(call.parameters());
        return tasks.apply(new TaskCommand.Cancel(runId, call.parameters().getString("reason"), call.actor()))
                .compose(asked -> tasks.state(runId))
                .map(state -> brief(runId, state, "The run is being stopped; poll says when it has ended."));
    }

    private Future<JsonObject> sendKeys(ToolCall call) {
        String runId = runId(call.parameters());
        String keys = call.parameters().getString("keys");
        if (keys == null || keys.isEmpty()) {
            throw RequestFields.wrong("keys must be the keys to type, such as \"ls Enter\", but is missing");
        }
        return tasks.state(runId).compose(state -> {
            if (state.spec() == null || state.spec().executionMode() != ExecutionMode.PTY) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "The run " + runId + " has no terminal to type into; spawn it with pty=true");
            }
            return tasks.apply(new TaskCommand.WriteInput(runId, Keys.bytes(keys), call.actor()))
                    .compose(typed -> tasks.state(runId))
                    .map(then -> brief(runId, then, "Typed; poll shows what comes of it."));
        });
    }

    private static JsonObject brief(String runId, TaskState state, String note) {
        return new JsonObject()
                .put("run_id", runId)
                .put("session_id", state.spec() == null ? null : state.spec().originSessionId())
                .put("status", ShellStatus.of(state.phase(), state.outcome(), false))
                .put("note", note);
    }

    /** The contract's old form: returns when the command has ended, at the latest when its time is up. */
    private Future<JsonObject> runToTheEnd(ToolCall call) {
        long waitMs = (call.parameters().getLong("timeout_secs", (long) ShellLimits.TIMEOUT_SECONDS)
                        + ShellLimits.STOP_SECONDS)
                * 1000L;
        return start(call)
                .compose(runId -> tasks.awaitState(runId, state -> state.run().ending() != null, waitMs)
                        .state()
                        .compose(state -> ShellRun.of(vertx, tasks, runId, state)))
                .compose(run -> run.text(run.output())
                        .compose(stdout -> run.text(Channel.STDERR)
                                .map(stderr -> KeptAnswer.of(run.toJson()
                                        .put("stdout", stdout)
                                        .put("stderr", stderr)
                                        .put("shortened", run.isShortened())))));
    }
}
