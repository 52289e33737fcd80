package io.penstock.server.request;

import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.pump.TaskView;
import io.penstock.engine.view.OutputSlice;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Keep;
import io.penstock.frames.LogEnd;
import io.penstock.frames.Outcome;
import io.penstock.frames.RecordInput;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Tasks and their output in the contract's words. */
public final class TaskJson {

    private TaskJson() {}

    /** The tool of a refused spawn from before such spawns recorded their request. */
    private static final String UNKNOWN_TOOL = "unknown";

    public static JsonObject status(TaskView task) {
        SpawnSpec asked = task.asked();
        TaskLabel label = asked == null ? null : asked.label();
        ExecutionMode mode = asked == null ? ExecutionMode.PIPES : asked.executionMode();
        ToolTaskSpawned spec = asked instanceof ToolTaskSpawned spawned ? spawned : null;
        RecordInput recordInput = spec == null ? null : spec.recordInput();
        Keep keep = spec == null ? null : spec.keep();
        TaskLinks links = spec == null || spec.links() == null ? TaskLinks.NONE : spec.links();
        Ending ending = task.ending();
        Outcome outcome = ending == null ? null : ending.outcome();
        return new JsonObject()
                .put("task_id", task.taskId())
                .put("status", ContractStatus.toolTasks(task.phase(), outcome))
                .put("tool", asked == null ? UNKNOWN_TOOL : asked.toolName())
                .put("title", asked == null ? null : asked.title())
                .put("label", label == null ? null : label.text())
                .put("origin_session_id", asked == null ? null : asked.originSessionId())
                .put("execution_mode", mode.wireName())
                .put("exit_code", ending == null ? null : ending.exitCode())
                .put("started_at_ms", task.startedAtMs())
                .put("ended_at_ms", task.endedAtMs())
                .put("artifacts", artifacts(task))
                .put("error", task.error())
                .put("phase", task.phase().wireName())
                .put("outcome", outcome == null ? null : outcome.wireName())
                .put("signal", ending == null ? null : ending.signal())
                .put("next_seq", task.nextSeq())
                .put("record_input", recordInput == null ? null : recordInput.wireName())
                .put("keep", keep == null ? null : keep.wireName())
                .put("pinned", task.pinned())
                .put("parent_task_id", links.parentTaskId())
                .put("batch", links.batch())
                .put("agent", agent(spec, task));
    }

    /** A task in a list. */
    public static JsonObject row(TaskView task, String lastLine) {
        return status(task).put("last_line", lastLine);
    }

    private static @Nullable JsonObject agent(@Nullable ToolTaskSpawned spec, TaskView task) {
        AgentSpec agent = spec == null ? null : spec.agent();
        return agent == null
                ? null
                : new JsonObject().put("profile", agent.profile()).put("latest", task.agentLatest());
    }

    public static JsonArray list(TaskPage page) {
        var tasks = new JsonArray();
        page.tasks().forEach(task -> tasks.add(status(task)));
        return tasks;
    }

    /** As frames show them, with how much there is by now; none of a spawn that was refused. */
    private static JsonObject artifacts(TaskView task) {
        var logs = new JsonObject();
        task.logs().forEach(end -> put(logs, end));
        ToolTaskSpawned spec = task.asked() instanceof ToolTaskSpawned spawned ? spawned : null;
        return new JsonObject()
                .put("logs", logs)
                .put("artifact_max_bytes", spec == null ? null : spec.artifactMaxBytes())
                .put("max_bytes", spec == null ? null : spec.maxBytes());
    }

    private static void put(JsonObject logs, LogEnd end) {
        logs.put(
                end.log().channel().wireName(),
                new JsonObject()
                        .put("id", end.log().artifactId())
                        .put("path", end.log().path())
                        .put("bytes_total", end.bytesTotal())
                        .put("bytes_stored", end.bytesStored())
                        .put("truncated", end.truncated())
                        .put("error", end.error())
                        .put("digest", end.digest()));
    }

    public static JsonObject output(String taskId, OutputSlice slice) {
        return outputHead(taskId, slice)
                .put("content", slice.text().text())
                .mergeIn(outputTail(slice, slice.text().offset() + slice.text().length()));
    }

    /** The fields before the content of a page. */
    public static JsonObject outputHead(String taskId, OutputSlice slice) {
        return new JsonObject()
                .put("task_id", taskId)
                .put("stream", slice.log().channel().wireName());
    }

    /**
     * The fields after the content of a page.
     *
     * @param first its beginning
     * @param end the offset at which it ends
     */
    public static JsonObject outputTail(OutputSlice first, long end) {
        long bytes = end - first.text().offset();
        // Bytes are stored a moment before the frame that counts them is accepted.
        long stored = Math.max(first.storedBytes(), end);
        // An empty page before the end of the stored bytes has only part of a character after it: nothing to read yet.
        boolean more = bytes > 0 && end < stored;
        return new JsonObject()
                .put("offset_bytes", first.text().offset())
                .put("bytes", bytes)
                .put("total_bytes", stored)
                .put("truncated", more)
                .put("first_offset_bytes", first.firstOffset())
                .put("bytes_not_stored", first.missingBytes())
                .put("artifact_id", first.log().artifactId())
                .put("path", first.log().path());
    }
}
