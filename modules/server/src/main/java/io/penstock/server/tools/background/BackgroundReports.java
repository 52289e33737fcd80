package io.penstock.server.tools.background;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.AgentState;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.FieldType.Word;
import io.penstock.server.tools.Fields;
import io.penstock.server.tools.agents.ResultSchema;
import io.penstock.server.tools.agents.SessionTask;
import io.penstock.server.tools.agents.TaskResults;
import io.penstock.server.tools.agents.TaskToolLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes background tasks: in a line, or with their results. */
final class BackgroundReports {

    /** The first turn begins after a few frames: the spawn, the queue, the verdict, the start, the conversation. */
    private static final int FIRST_FRAMES = 50;

    private static final FieldType COUNT = new WholeNumber(0, Limits.WHOLE_NUMBER);
    private static final FieldType TIME = new Text(Limits.LABEL_CHARS);
    private static final FieldType LINE = new Text(TaskToolLimits.LINE_CHARS);
    private static final FieldType RESULT = new Text(TaskToolLimits.RESULT_CHARS);

    private static final Fields BRIEF = Fields.of(
            Field.required("task_id", FieldType.id(Limits.STREAM_ID_CHARS), "The task."),
            Field.required("status", new Word(BackgroundStatus.WORDS), "Its status."),
            Field.optional("description", LINE, "As given."),
            Field.optional("agent", new Text(Limits.TEXT_CHARS), "The agent program."),
            Field.optional("batchId", new Text(Limits.LABEL_CHARS), "The batch that it belongs to."),
            Field.required("resumeCount", COUNT, "How often it was resumed."),
            Field.optional("started_at", TIME, "When its program was started."),
            Field.optional("completed_at", TIME, "When it ended."),
            Field.optional("elapsed_secs", COUNT, "From the start to the end, or to now."),
            Field.required("tool_calls", COUNT, "How many tools the agent has used."),
            Field.optional("last_update_at", TIME, "When the agent was last heard of."));

    private static final Fields FULL = Fields.of(
            Field.optional("progress", LINE, "What the agent said or did last, while it runs."),
            Field.optional("question", LINE, "What a person is asked; the task waits for the answer."),
            Field.optional("result", RESULT, "The agent's answer, once it is completed."),
            Field.optional("partial_result", RESULT, "What the agent has said in a turn that it did not finish."),
            Field.optional("error", LINE, "Why it failed."),
            Field.optional("retrieved_at", TIME, "When its result was retrieved first."),
            Field.required(
                    "parent_session_id", FieldType.id(Limits.STREAM_ID_CHARS), "The session that it reports to."),
            Field.optional("parent_message_id", new Text(Limits.TEXT_CHARS), "As given at its start."));

    private final TaskApi tasks;
    private final TaskResults results;
    private final Retrievals retrievals;
    private final LongSupplier clockMs;

    BackgroundReports(TaskApi tasks, Retrievals retrievals, LongSupplier clockMs) {
        this.tasks = tasks;
        this.results = new TaskResults(tasks);
        this.retrievals = retrievals;
        this.clockMs = clockMs;
    }

    static Fields brief() {
        return BRIEF;
    }

    static JsonObject fullSchema() {
        return new ResultSchema(new Fields(Stream.concat(BRIEF.list().stream(), FULL.list().stream())
                        .toList()))
                .texts("recent_tools", "The agent's newest tools, the last first.")
                .artifacts()
                .usage()
                .json();
    }

    JsonObject brief(SessionTask task) {
        AgentSpec spec = task.agent();
        AgentState agent = task.state().agent();
        return new JsonObject()
                .put("task_id", BackgroundTasks.id(task.taskId()))
                .put("status", BackgroundStatus.of(task.state()))
                .put("description", task.asked().title())
                .put("agent", spec == null ? null : spec.profile())
                .put("batchId", task.links().batch())
                .put("resumeCount", agent.resumes())
                .put("started_at", time(task.state().run().startedAtMs()))
                .put("completed_at", time(task.state().run().endedAtMs()))
                .put("elapsed_secs", task.elapsedSecs(clockMs.getAsLong()))
                .put("tool_calls", agent.toolCalls())
                .put("last_update_at", time(agent.updatedAtMs()));
    }

    /** The same with the result, which is thereby retrieved. */
    Future<JsonObject> full(SessionTask task, Actor caller, int resultChars) {
        boolean over = task.isOver();
        JsonObject entry = brief(task)
                .put("progress", null)
                .put("question", TaskResults.question(task))
                .put("result", null)
                .put("partial_result", null)
                .put("error", TaskResults.error(task))
                .put("retrieved_at", null)
                .put("parent_session_id", task.asked().originSessionId())
                .put("parent_message_id", null)
                .put("recent_tools", new JsonArray(task.state().agent().recentTools()))
                .put("artifacts", new JsonArray())
                .put("usage", TaskResults.usage(task));
        Future<TaskResults.Shown> result = results.result(task, resultChars);
        Future<TaskResults.Shown> partial =
                over ? results.partial(task, resultChars) : Future.succeededFuture(TaskResults.Shown.NOTHING);
        Future<@Nullable String> progress = over ? Future.succeededFuture() : results.progress(task);
        return Future.all(result, partial, progress)
                .compose(read -> Future.all(
                        messageId(task),
                        retrievals.retrieved(task, caller),
                        results.artifacts(task, result.result(), partial.result())))
                .map(read -> entry.put("progress", progress.result())
                        .put("result", result.result().text())
                        .put("partial_result", partial.result().text())
                        .put("retrieved_at", time(read.<@Nullable Long>resultAt(1)))
                        .put("parent_message_id", read.<@Nullable String>resultAt(0))
                        .put("artifacts", read.<JsonArray>resultAt(2)));
    }

    /** The caller's message that asked for it, which the first turn names. */
    private Future<@Nullable String> messageId(SessionTask task) {
        return tasks.range(task.taskId(), 0, FIRST_FRAMES).map(BackgroundReports::messageId);
    }

    private static @Nullable String messageId(List<Frame> frames) {
        for (Frame frame : frames) {
            if (frame.body() instanceof TaskTurnStarted turn) {
                return turn.promptId();
            }
        }
        return null;
    }

    static @Nullable String time(@Nullable Long atMs) {
        return atMs == null ? null : Instant.ofEpochMilli(atMs).toString();
    }
}
