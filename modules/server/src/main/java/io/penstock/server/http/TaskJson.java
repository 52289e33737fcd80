package io.penstock.server.http;

import io.penstock.engine.pump.OutputSlice;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.SurfaceWords;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks and their output in the contract's words. */
final class TaskJson {

    private TaskJson() {}

    static JsonObject status(String taskId, TaskState state) {
        ToolTaskSpawned spec = state.spec();
        Ending ending = state.run().ending();
        Outcome outcome = state.outcome();
        return new JsonObject()
                .put("task_id", taskId)
                .put("status", SurfaceWords.toolTasks(state.phase(), outcome))
                .put("tool", spec == null ? null : spec.toolName())
                .put("title", spec == null ? null : spec.title())
                .put(
                        "execution_mode",
                        spec == null ? null : spec.executionMode().wireName())
                .put("exit_code", ending == null ? null : ending.exitCode())
                .put("started_at_ms", state.run().startedAtMs())
                .put("ended_at_ms", state.run().endedAtMs())
                .put("artifacts", artifacts(state))
                .put("error", state.run().error())
                .put("phase", state.phase().wireName())
                .put("outcome", outcome == null ? null : outcome.wireName())
                .put("signal", ending == null ? null : ending.signal())
                .put("next_seq", state.nextSeq());
    }

    /** As frames show them, with how much there is by now. */
    private static @Nullable JsonObject artifacts(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        if (spec == null) {
            return null;
        }
        var logs = new JsonObject();
        List<LogEnd> ends = state.run().logs();
        if (ends.isEmpty()) {
            for (LogRef log : spec.logs()) {
                Channel channel = log.channel();
                put(
                        logs,
                        new LogEnd(
                                log,
                                state.output().total(channel),
                                state.output().stored(channel),
                                null));
            }
        } else {
            ends.forEach(end -> put(logs, end));
        }
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
