package io.penstock.frames;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes frames as JSON, field by field in the contract's order. */
final class FrameJsonWriter {

    private FrameJsonWriter() {}

    static void write(JsonGenerator json, Frame frame) throws IOException {
        json.writeStartObject();
        String streamId = frame.stream().id();
        json.writeStringField("id", frame.id());
        json.writeStringField("stream_kind", frame.stream().kind().wireName());
        json.writeStringField("stream_id", streamId);
        json.writeStringField("session_id", streamId);
        json.writeNumberField("timestamp_ms", frame.timestampMs());
        json.writeNumberField("seq", frame.seq());
        json.writeStringField("type", frame.typeName());
        switch (frame.body()) {
            case TaskFrame body -> {
                json.writeStringField("task_id", streamId);
                write(json, body);
            }
            case SessionFrame body -> {
                json.writeStringField("task_id", body.task().id());
                write(json, body);
            }
            case UnknownFrame body -> {
                for (Map.Entry<String, JsonNode> field : body.fields().toNode().properties()) {
                    json.writeFieldName(field.getKey());
                    json.writeRawValue(field.getValue().toString());
                }
            }
        }
        json.writeEndObject();
    }

    static void write(JsonGenerator json, TaskFrame frame) throws IOException {
        switch (frame) {
            case ToolTaskSpawned body -> spawned(json, body);
            case ToolTaskStatus body -> status(json, body);
            case ToolTaskOutputDelta body -> delta(json, body);
            case ToolTaskStdinWritten body -> {
                text(json, "chunk_b64", body.chunkBase64());
                json.writeNumberField("bytes", body.bytes());
                actor(json, body.actor());
            }
            case ToolTaskResized body -> {
                json.writeNumberField("rows", body.rows());
                json.writeNumberField("cols", body.cols());
                actor(json, body.actor());
            }
            case ToolTaskSignalled body -> {
                json.writeStringField("signal", body.signal());
                actor(json, body.actor());
            }
            case ToolTaskCancelRequested body -> {
                text(json, "reason", body.reason());
                json.writeStringField("cause", body.cause().wireName());
                actor(json, body.actor());
            }
            case ToolTaskCancelled body -> {
                text(json, "reason", body.reason());
                json.writeNumberField("wall_time_ms", body.wallTimeMs());
            }
            case ArtifactWritten body -> {
                json.writeStringField("artifact_id", body.artifactId());
                json.writeStringField("kind", body.kind());
                json.writeNumberField("bytes", body.bytes());
                json.writeStringField("digest", body.digest());
                text(json, "preview", body.preview());
            }
            case TaskPolicyVerdict body -> {
                json.writeStringField("operation", body.operation());
                json.writeStringField("verdict", body.verdict().wireName());
                json.writeStringField("rule", body.rule());
                text(json, "reason", body.reason());
                json.writeStringField("asked_by", body.askedBy().toString());
                budgets(json, body.budgets());
                Actor answeredBy = body.answeredBy();
                text(json, "answered_by", answeredBy == null ? null : answeredBy.toString());
            }
            case TaskQueued body -> {
                json.writeStringField("lane", body.lane());
                json.writeNumberField("ahead", body.ahead());
            }
            case TaskWatcherHit body -> {
                json.writeStringField("watcher_id", body.watcherId());
                json.writeStringField("event", body.event());
                json.writeStringField("stream", body.channel().wireName());
                json.writeNumberField("offset_bytes", body.offset());
                json.writeNumberField("bytes", body.bytes());
                json.writeStringField("matched", body.matched());
                json.writeNumberField("frame_seq", body.frameSeq());
            }
            case TaskTurnStarted body -> {
                json.writeNumberField("turn", body.turn());
                json.writeStringField("kind", body.kind().wireName());
                json.writeStringField("prompt", body.prompt());
                text(json, "prompt_id", body.promptId());
                actor(json, body.actor());
            }
            case TaskTurnSettled body -> {
                json.writeNumberField("turn", body.turn());
                json.writeStringField("stop_reason", body.stopReason());
                text(json, "result", body.result());
            }
            case TaskUsage body -> {
                json.writeNumberField("input_tokens", body.inputTokens());
                json.writeNumberField("output_tokens", body.outputTokens());
                json.writeNumberField("cost_micro_usd", body.costMicroUsd());
            }
            case TaskRunStarted body -> {
                json.writeNumberField("run", body.run());
                json.writeStringField("kind", body.kind().wireName());
                actor(json, body.actor());
            }
            case TaskScreenKeyframe body -> {
                json.writeStringField("artifact_id", body.artifactId());
                json.writeNumberField("pty_offset", body.ptyOffset());
                json.writeNumberField("rows", body.rows());
                json.writeNumberField("cols", body.cols());
            }
            case TaskNotice body -> {
                json.writeStringField("code", body.code());
                json.writeStringField("message", body.message());
            }
            case TaskCleared body -> actor(json, body.actor());
            case ToolTaskOutputGap body -> {
                json.writeStringField("stream", body.channel().wireName());
                json.writeNumberField("offset_bytes", body.offset());
                json.writeNumberField("bytes", body.bytes());
                json.writeStringField("reason", body.reason());
            }
        }
    }

    private static void write(JsonGenerator json, SessionFrame frame) throws IOException {
        switch (frame) {
            case ToolStdout body -> {
                json.writeStringField("chunk", body.chunk());
                json.writeNumberField("task_seq", body.taskSeq());
            }
            case ToolStderr body -> {
                json.writeStringField("chunk", body.chunk());
                json.writeNumberField("task_seq", body.taskSeq());
            }
            case ToolEnded body -> {
                json.writeStringField("outcome", body.outcome().wireName());
                number(json, "exit_code", body.exitCode());
                json.writeNumberField("task_seq", body.taskSeq());
            }
        }
    }

    static void spawned(JsonGenerator json, ToolTaskSpawned body) throws IOException {
        json.writeStringField("tool_name", body.toolName());
        json.writeFieldName("args");
        json.writeRawValue(body.args().text());
        text(json, "cwd", body.cwd());
        text(json, "title", body.title());
        json.writeStringField("execution_mode", body.executionMode().wireName());
        text(json, "origin_session_id", body.originSessionId());
        json.writeObjectFieldStart("artifacts");
        json.writeObjectFieldStart("logs");
        for (LogRef log : body.logs()) {
            json.writeObjectFieldStart(log.channel().wireName());
            idAndPath(json, log);
            json.writeEndObject();
        }
        json.writeEndObject();
        number(json, "artifact_max_bytes", body.artifactMaxBytes());
        number(json, "max_bytes", body.maxBytes());
        json.writeEndObject();
        actor(json, body.actor());
        Containment containment = body.containment();
        text(json, "containment", containment == null ? null : containment.wireName());
        TaskLabel label = body.label();
        text(json, "label", label == null ? null : label.text());
        RecordInput recordInput = body.recordInput();
        text(json, "record_input", recordInput == null ? null : recordInput.wireName());
        Keep keep = body.keep();
        text(json, "keep", keep == null ? null : keep.wireName());
    }

    private static void budgets(JsonGenerator json, Budgets budgets) throws IOException {
        if (budgets.equals(Budgets.NONE)) {
            json.writeNullField("budgets");
            return;
        }
        json.writeObjectFieldStart("budgets");
        number(json, "time_ms", budgets.timeMs());
        number(json, "output_bytes", budgets.outputBytes());
        number(json, "events", budgets.events());
        json.writeEndObject();
    }

    private static void status(JsonGenerator json, ToolTaskStatus body) throws IOException {
        Ending ending = body.ending();
        Outcome outcome = ending == null ? null : ending.outcome();
        text(json, "status", ContractStatus.toolTasks(body.phase(), outcome));
        number(json, "exit_code", ending == null ? null : ending.exitCode());
        number(json, "started_at_ms", body.startedAtMs());
        number(json, "ended_at_ms", body.endedAtMs());
        logEnds(json, body.logs());
        text(json, "error", body.error());
        json.writeStringField("phase", body.phase().wireName());
        text(json, "outcome", outcome == null ? null : outcome.wireName());
        number(json, "signal", ending == null ? null : ending.signal());
        text(json, "question", body.question());
        json.writeStringField("cause", body.cause().wireName());
        actor(json, body.actor());
        refused(json, body.refused());
    }

    static void refused(JsonGenerator json, @Nullable RefusedSpawn spawn) throws IOException {
        if (spawn == null) {
            json.writeNullField("refused");
            return;
        }
        json.writeObjectFieldStart("refused");
        json.writeStringField("tool_name", spawn.toolName());
        json.writeFieldName("args");
        json.writeRawValue(spawn.args().text());
        text(json, "cwd", spawn.cwd());
        text(json, "title", spawn.title());
        json.writeStringField("execution_mode", spawn.executionMode().wireName());
        text(json, "origin_session_id", spawn.originSessionId());
        TaskLabel label = spawn.label();
        text(json, "label", label == null ? null : label.text());
        actor(json, spawn.actor());
        json.writeEndObject();
    }

    static void logEnds(JsonGenerator json, List<LogEnd> logs) throws IOException {
        if (logs.isEmpty()) {
            json.writeNullField("artifacts");
            return;
        }
        json.writeObjectFieldStart("artifacts");
        json.writeObjectFieldStart("logs");
        for (LogEnd end : logs) {
            json.writeObjectFieldStart(end.log().channel().wireName());
            idAndPath(json, end.log());
            json.writeNumberField("bytes_total", end.bytesTotal());
            json.writeNumberField("bytes_stored", end.bytesStored());
            json.writeBooleanField("truncated", end.truncated());
            text(json, "error", end.error());
            text(json, "digest", end.digest());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void delta(JsonGenerator json, ToolTaskOutputDelta body) throws IOException {
        DeltaText shown = body.text();
        json.writeStringField("stream", body.channel().wireName());
        text(json, "chunk", shown == null ? null : shown.chunk());
        json.writeNumberField("chunk_bytes", shown == null ? 0 : shown.chunkBytes());
        json.writeBooleanField("chunk_truncated", shown == null || shown.truncated());
        json.writeObjectFieldStart("artifacts");
        json.writeObjectFieldStart("log");
        if (shown == null) {
            json.writeNullField("id");
            json.writeNullField("path");
        } else {
            idAndPath(json, shown.log());
        }
        json.writeNumberField("offset_bytes", body.offset());
        json.writeNumberField("bytes", body.bytes());
        json.writeNumberField("bytes_total", body.bytesTotal());
        json.writeNumberField("bytes_stored", body.bytesStored());
        json.writeBooleanField("truncated", body.truncated());
        LineSpan lines = body.lines();
        number(json, "first_line", lines == null ? null : lines.first());
        number(json, "lines", lines == null ? null : lines.count());
        json.writeBooleanField("removed", shown != null && shown.removed());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void idAndPath(JsonGenerator json, LogRef log) throws IOException {
        json.writeStringField("id", log.artifactId());
        json.writeStringField("path", log.path());
    }

    private static void actor(JsonGenerator json, Actor actor) throws IOException {
        json.writeStringField("actor", actor.toString());
    }

    static void text(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeStringField(name, value);
        }
    }

    static void number(JsonGenerator json, String name, @Nullable Number value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value.longValue());
        }
    }
}
