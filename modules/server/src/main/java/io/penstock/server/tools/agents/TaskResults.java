package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.view.OutputSlice;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskUsage;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.tools.ModelText;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a task has brought about, as much of it as a model is shown. */
public final class TaskResults {

    /** The method by which an agent writes a file through the server; the title of its call is the path. */
    private static final String WRITES = "fs/write_text_file";

    private final TaskApi tasks;

    public TaskResults(TaskApi tasks) {
        this.tasks = tasks;
    }

    /**
     * A result as it is shown.
     *
     * @param text null if there is none
     * @param artifact the whole of a text that is not shown in full
     */
    public record Shown(@Nullable String text, @Nullable JsonObject artifact) {

        public static final Shown NOTHING = new Shown(null, null);
    }

    /**
     * The result of a task that is done: the answer of its agent, or the output of its command. Nothing for other tasks, and for an
     * agent that did not finish its turn.
     */
    public Future<Shown> result(SessionTask task, int maxChars) {
        if (!SessionTask.isDone(task.state())) {
            return Future.succeededFuture(Shown.NOTHING);
        }
        if (task.agent() == null) {
            return output(task, maxChars);
        }
        String result = task.state().result();
        return result == null || !settled(task.state())
                ? Future.succeededFuture(Shown.NOTHING)
                : shown(task, result, maxChars);
    }

    private static boolean settled(TaskState state) {
        return state.phase() == Phase.IDLE || state.outcome() == Outcome.SUCCEEDED;
    }

    /** What a task has brought about that is not done, or whose agent did not finish its turn; nothing if it has its result. */
    public Future<Shown> partial(SessionTask task, int maxChars) {
        if (task.agent() == null) {
            return SessionTask.isDone(task.state()) ? Future.succeededFuture(Shown.NOTHING) : output(task, maxChars);
        }
        if (SessionTask.isDone(task.state()) && settled(task.state())) {
            return Future.succeededFuture(Shown.NOTHING);
        }
        return TurnText.read(tasks, task, 4 * maxChars)
                .compose(text -> text.isEmpty() ? Future.succeededFuture(Shown.NOTHING) : shown(task, text, maxChars));
    }

    /** A text that does not fit is stored, so that a model can fetch it: it has no other way to a task's frames. */
    private Future<Shown> shown(SessionTask task, String text, int maxChars) {
        String plain = ModelText.plain(text);
        if (plain.length() <= maxChars) {
            return Future.succeededFuture(new Shown(plain, null));
        }
        byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
        return tasks.storeArtifact(bytes)
                .map(stored -> new Shown(
                        ModelText.bounded(
                                plain, maxChars, "artifact_fetch with the id " + stored.artifactId() + " reads all."),
                        log("result", stored.artifactId(), stored.bytes())))
                .recover(full -> Future.succeededFuture(new Shown(
                        ModelText.bounded(plain, maxChars, "The frames of the task " + task.taskId() + " have them."),
                        null)));
    }

    private Future<Shown> output(SessionTask task, int maxChars) {
        ToolTaskSpawned spec = task.state().spec();
        if (spec == null) {
            return Future.succeededFuture(Shown.NOTHING);
        }
        Channel first = spec.executionMode().channels().getFirst();
        return output(task, first, maxChars)
                .compose(text -> task.state().output().total(Channel.STDERR) == 0
                        ? Future.succeededFuture(text)
                        : output(task, Channel.STDERR, Math.min(maxChars, TaskToolLimits.ERROR_OUTPUT_CHARS))
                                .map(errors -> text + (text.isEmpty() || text.endsWith("\n") ? "" : "\n") + "[stderr]\n"
                                        + errors))
                .map(text -> new Shown(text, null));
    }

    /** The beginning and the end of an output; a note in its place if it was removed. */
    private Future<String> output(SessionTask task, Channel channel, int maxChars) {
        TaskState state = task.state();
        long stored = state.output().stored(channel);
        int end = TaskToolLimits.OUTPUT_END_BYTES;
        String fetch = "artifact_fetch with the id " + task.taskId() + "." + channel.wireName() + " reads all.";
        Future<String> text = stored <= 2L * end
                ? tasks.output(task.taskId(), state, channel, 0, 2 * end)
                        .map(slice -> ModelText.bounded(text(slice), maxChars, fetch))
                : tasks.output(task.taskId(), state, channel, 0, end)
                        .compose(head -> tasks.output(task.taskId(), state, channel, stored - end, end)
                                .map(tail -> ModelText.joined(text(head), text(tail), stored, maxChars, fetch)));
        return text.recover(e -> e instanceof Failure failure && failure.code() == FailureCode.ARTIFACT_GONE
                ? Future.succeededFuture("[" + failure.getMessage() + "]")
                : Future.failedFuture(e));
    }

    private static String text(OutputSlice slice) {
        return ModelText.plain(slice.text().text());
    }

    /** The outputs that have bytes; of an agent only its error output, since the other is its protocol. */
    public Future<JsonArray> artifacts(SessionTask task, Shown... shown) {
        return files(task).map(files -> {
            var artifacts = new JsonArray();
            files.forEach(
                    path -> artifacts.add(new JsonObject().put("type", "file").put("path", path)));
            for (Shown each : shown) {
                if (each.artifact() != null) {
                    artifacts.add(each.artifact());
                }
            }
            logs(task, artifacts);
            return artifacts;
        });
    }

    /** The files that an agent wrote through the server, the oldest first. What it writes by itself, no frame knows. */
    private Future<List<String>> files(SessionTask task) {
        var paths = new LinkedHashSet<String>();
        if (task.agent() == null || task.state().agent().toolCalls() == 0) {
            return Future.succeededFuture(List.of());
        }
        return NewestFrames.read(tasks, task, frame -> {
                    if (frame.body() instanceof TaskAgentToolCall call
                            && WRITES.equals(call.name())
                            && call.title() != null) {
                        paths.add(call.title());
                    }
                    return paths.size() < TaskToolLimits.FILES;
                })
                .map(done -> List.copyOf(paths).reversed());
    }

    private static void logs(SessionTask task, JsonArray artifacts) {
        ToolTaskSpawned spec = task.state().spec();
        if (spec != null) {
            for (LogRef log : spec.logs()) {
                long bytes = task.state().output().total(log.channel());
                if (bytes > 0 && (task.agent() == null || log.channel() == Channel.STDERR)) {
                    artifacts.add(log("log", log.artifactId(), bytes));
                }
            }
        }
    }

    private static JsonObject log(String type, String id, long bytes) {
        return new JsonObject().put("type", type).put("id", id).put("bytes", bytes);
    }

    /** By the agent's own count; null for a command. */
    public static @Nullable JsonObject usage(SessionTask task) {
        if (task.agent() == null) {
            return null;
        }
        TaskUsage usage = task.state().usage();
        return new JsonObject()
                .put("input_tokens", usage.inputTokens())
                .put("output_tokens", usage.outputTokens())
                .put("cost_usd", usage.costMicroUsd() / 1e6);
    }

    /** The newest words or tool of its agent, with the number of tool calls; of a command the last line of its output. */
    public Future<@Nullable String> progress(SessionTask task) {
        ToolTaskSpawned spec = task.state().spec();
        if (task.agent() != null || spec == null) {
            return Future.succeededFuture(saying(task));
        }
        return tasks.snippet(task.taskId(), spec, task.state().nextSeq()).map(output -> {
            String shown = output == null ? "" : ModelText.plain(output);
            return shown.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((line, later) -> later)
                    .map(line -> ModelText.start(line.strip(), TaskToolLimits.LINE_CHARS))
                    .orElse(null);
        });
    }

    private static @Nullable String saying(SessionTask task) {
        int calls = task.state().agent().toolCalls();
        String latest = task.state().agent().latest();
        String said = latest == null ? "" : ModelText.plain(latest).strip();
        String counted = calls == 0 ? "" : "(" + calls + (calls == 1 ? " tool call)" : " tool calls)");
        String both = (said + " " + counted).strip();
        return both.isEmpty() ? null : both;
    }

    /** The reason why it did not succeed, or the question that it waits for. */
    public static @Nullable String error(SessionTask task) {
        String error = task.state().run().error();
        return error == null ? null : ModelText.start(error, TaskToolLimits.LINE_CHARS);
    }

    public static @Nullable String question(SessionTask task) {
        String question = task.state().run().question();
        return question == null ? null : ModelText.start(question, TaskToolLimits.LINE_CHARS);
    }
}
