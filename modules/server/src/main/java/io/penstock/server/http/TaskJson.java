package io.penstock.server.http;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.pump.OutputSlice;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.Outcome;
import io.penstock.frames.SurfaceWords;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Tasks and their output in the contract's words. */
final class TaskJson {

    private TaskJson() {}

    static JsonObject status(TaskView task) {
        ToolTaskSpawned spec = task.spec();
        Ending ending = task.ending();
        Outcome outcome = ending == null ? null : ending.outcome();
        return new JsonObject()
                .put("task_id", task.taskId())
                .put("status", SurfaceWords.toolTasks(task.phase(), outcome))
                .put("tool", spec == null ? null : spec.toolName())
                .put("title", spec == null ? null : spec.title())
                .put(
                        "label",
                        spec == null || spec.label() == null
                                ? null
                                : spec.label().text())
                .put("origin_session_id", spec == null ? null : spec.originSessionId())
                .put(
                        "execution_mode",
                        spec == null ? null : spec.executionMode().wireName())
                .put("exit_code", ending == null ? null : ending.exitCode())
                .put("started_at_ms", task.startedAtMs())
                .put("ended_at_ms", task.endedAtMs())
                .put("artifacts", artifacts(task))
                .put("error", task.error())
                .put("phase", task.phase().wireName())
                .put("outcome", outcome == null ? null : outcome.wireName())
                .put("signal", ending == null ? null : ending.signal())
                .put("next_seq", task.nextSeq());
    }

    static JsonObject list(TaskPage page) {
        var tasks = new JsonArray();
        page.tasks().forEach(task -> tasks.add(status(task)));
        TaskCursor next = page.next();
        return new JsonObject().put("tasks", tasks).put("next_cursor", next == null ? null : next.text());
    }

    /** As frames show them, with how much there is by now. */
    private static @Nullable JsonObject artifacts(TaskView task) {
        ToolTaskSpawned spec = task.spec();
        if (spec == null) {
            return null;
        }
        var logs = new JsonObject();
        task.logs().forEach(end -> put(logs, end));
        return new JsonObject()
                .put("logs", logs)
                .put("artifact_max_bytes", spec.artifactMaxBytes())
                .put("max_bytes", spec.maxBytes());
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
                        .put("error", end.error()));
    }

    static JsonObject output(String taskId, OutputSlice slice) {
        long end = slice.text().offset() + slice.text().length();
        // Bytes are stored a moment before the frame that counts them is accepted.
        long total = Math.max(slice.totalBytes(), end);
        return new JsonObject()
                .put("task_id", taskId)
                .put("stream", slice.log().channel().wireName())
                .put("content", slice.text().text())
                .put("offset_bytes", slice.text().offset())
                .put("bytes", slice.text().length())
                .put("total_bytes", total)
                .put("truncated", end < total)
                .put("artifact_id", slice.log().artifactId())
                .put("path", slice.log().path());
    }
}
