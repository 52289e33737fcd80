package io.penstock.frames;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads frames from their JSON form. */
final class FrameJsonReader {

    private FrameJsonReader() {}

    static Frame read(ObjectNode object) {
        var fields = new JsonFields(object, "frame");
        try {
            var stream = new StreamId(fields.oneOf("stream_kind", StreamKind.class), fields.text("stream_id"));
            String typeName = fields.text("type");
            FrameType type = FrameType.ofWireName(typeName);
            FrameBody body =
                    type == null ? new UnknownFrame(typeName, fields.without(FrameJson.ENVELOPE)) : body(type, fields);
            var frame = new Frame(stream, fields.number("seq"), fields.number("timestamp_ms"), body);
            agree(fields, frame);
            return frame;
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    fields.where() + ": " + Objects.requireNonNullElse(e.getMessage(), "wrong"),
                    e);
        }
    }

    /** What a frame says twice, it says the same way. */
    private static void agree(JsonFields fields, Frame frame) {
        fields.agrees("id", frame.id());
        fields.agrees("session_id", frame.stream().id());
        switch (frame.body()) {
            case TaskFrame body -> {
                fields.agrees("task_id", frame.stream().id());
                if (body instanceof ToolTaskStatus status) {
                    Outcome outcome =
                            status.ending() == null ? null : status.ending().outcome();
                    String word = ContractStatus.toolTasks(status.phase(), outcome);
                    fields.agrees("status", Objects.requireNonNull(word));
                }
            }
            case SessionFrame _, UnknownFrame _ -> {}
        }
    }

    static FrameBody body(FrameType type, JsonFields fields) {
        return switch (type) {
            case UNKNOWN -> throw new IllegalStateException("has no name on the wire");
            case TOOL_TASK_SPAWNED -> spawned(fields);
            case TOOL_TASK_STATUS -> status(fields);
            case TOOL_TASK_OUTPUT_DELTA -> delta(fields);
            case TOOL_TASK_STDIN_WRITTEN ->
                new ToolTaskStdinWritten(
                        fields.smallNumber("bytes"), fields.textOrNull("chunk_b64"), fields.actor("actor"));
            case TOOL_TASK_RESIZED ->
                new ToolTaskResized(fields.smallNumber("rows"), fields.smallNumber("cols"), fields.actor("actor"));
            case TOOL_TASK_SIGNALLED -> new ToolTaskSignalled(fields.text("signal"), fields.actor("actor"));
            case TOOL_TASK_CANCEL_REQUESTED -> cancelRequested(fields);
            case TOOL_TASK_CANCELLED ->
                new ToolTaskCancelled(fields.textOrNull("reason"), fields.number("wall_time_ms"));
            case ARTIFACT_WRITTEN ->
                new ArtifactWritten(
                        fields.text("artifact_id"),
                        fields.text("kind"),
                        fields.number("bytes"),
                        fields.text("digest"),
                        fields.textOrNull("preview"));
            case TASK_POLICY_VERDICT ->
                new TaskPolicyVerdict(
                        fields.text("operation"),
                        fields.oneOf("verdict", TaskPolicyVerdict.Verdict.class),
                        fields.text("rule"),
                        fields.textOrNull("reason"),
                        fields.actor("asked_by"),
                        budgets(fields.inOrNull("budgets")),
                        actorOrNull(fields.textOrNull("answered_by")));
            case TASK_QUEUED -> new TaskQueued(fields.text("lane"), fields.number("ahead"));
            case TASK_WATCHER_HIT ->
                new TaskWatcherHit(
                        fields.text("watcher_id"),
                        fields.text("event"),
                        fields.oneOf("stream", Channel.class),
                        fields.number("offset_bytes"),
                        fields.smallNumber("bytes"),
                        fields.text("matched"),
                        fields.number("frame_seq"));
            case TASK_TURN_STARTED ->
                new TaskTurnStarted(
                        fields.smallNumber("turn"),
                        fields.oneOf("kind", TaskTurnStarted.Kind.class),
                        fields.text("prompt"),
                        fields.textOrNull("prompt_id"),
                        fields.actor("actor"));
            case TASK_TURN_SETTLED ->
                new TaskTurnSettled(
                        fields.smallNumber("turn"), fields.text("stop_reason"), fields.textOrNull("result"));
            case TASK_USAGE ->
                new TaskUsage(
                        fields.number("input_tokens"), fields.number("output_tokens"), fields.number("cost_micro_usd"));
            case TASK_RUN_STARTED ->
                new TaskRunStarted(
                        fields.smallNumber("run"),
                        fields.oneOf("kind", TaskRunStarted.Kind.class),
                        fields.actor("actor"));
            case TASK_SCREEN_KEYFRAME ->
                new TaskScreenKeyframe(
                        fields.text("artifact_id"),
                        fields.number("pty_offset"),
                        fields.smallNumber("rows"),
                        fields.smallNumber("cols"));
            case TASK_NOTICE -> new TaskNotice(fields.text("code"), fields.text("message"));
            case TASK_CLEARED -> new TaskCleared(fields.actor("actor"));
            case TOOL_STDOUT -> new ToolStdout(task(fields), fields.text("chunk"), fields.number("task_seq"));
            case TOOL_STDERR -> new ToolStderr(task(fields), fields.text("chunk"), fields.number("task_seq"));
            case TOOL_ENDED ->
                new ToolEnded(
                        task(fields),
                        fields.oneOf("outcome", Outcome.class),
                        fields.smallNumberOrNull("exit_code"),
                        fields.number("task_seq"));
            case TOOL_TASK_OUTPUT_GAP ->
                new ToolTaskOutputGap(
                        fields.oneOf("stream", Channel.class),
                        fields.number("offset_bytes"),
                        fields.number("bytes"),
                        fields.text("reason"));
        };
    }

    private static StreamId task(JsonFields fields) {
        return StreamId.task(fields.text("task_id"));
    }

    static ToolTaskCancelRequested cancelRequested(JsonFields fields) {
        return new ToolTaskCancelRequested(
                fields.textOrNull("reason"), fields.oneOf("cause", Cause.class), fields.actor("actor"));
    }

    static ToolTaskSpawned spawned(JsonFields fields) {
        var mode = fields.oneOf("execution_mode", ExecutionMode.class);
        JsonFields artifacts = fields.in("artifacts");
        JsonFields logs = artifacts.in("logs");
        var refs = new ArrayList<LogRef>();
        for (Channel channel : mode.channels()) {
            refs.add(logRef(channel, logs.in(channel.wireName())));
        }
        return new ToolTaskSpawned(
                fields.text("tool_name"),
                fields.json("args"),
                fields.textOrNull("cwd"),
                fields.textOrNull("title"),
                mode,
                fields.textOrNull("origin_session_id"),
                refs,
                artifacts.numberOrNull("artifact_max_bytes"),
                artifacts.numberOrNull("max_bytes"),
                fields.actor("actor"),
                fields.oneOfOrNull("containment", Containment.class),
                TaskLabel.ofNullable(fields.textOrNull("label")),
                fields.oneOfOrNull("record_input", RecordInput.class),
                fields.oneOfOrNull("keep", Keep.class));
    }

    private static @Nullable Actor actorOrNull(@Nullable String text) {
        return text == null ? null : Actor.parse(text);
    }

    private static Budgets budgets(@Nullable JsonFields fields) {
        return fields == null
                ? Budgets.NONE
                : new Budgets(
                        fields.numberOrNull("time_ms"),
                        fields.numberOrNull("output_bytes"),
                        fields.numberOrNull("events"));
    }

    private static LogRef logRef(Channel channel, JsonFields fields) {
        return new LogRef(channel, fields.text("id"), fields.text("path"));
    }

    private static ToolTaskStatus status(JsonFields fields) {
        Phase phase = fields.oneOf("phase", Phase.class);
        return new ToolTaskStatus(
                phase,
                ending(fields),
                fields.numberOrNull("started_at_ms"),
                fields.numberOrNull("ended_at_ms"),
                logEnds(fields),
                fields.textOrNull("error"),
                fields.textOrNull("question"),
                fields.oneOf("cause", Cause.class),
                fields.actor("actor"),
                refused(fields.inOrNull("refused")));
    }

    static @Nullable RefusedSpawn refused(@Nullable JsonFields fields) {
        return fields == null
                ? null
                : new RefusedSpawn(
                        fields.text("tool_name"),
                        fields.json("args"),
                        fields.textOrNull("cwd"),
                        fields.textOrNull("title"),
                        fields.oneOf("execution_mode", ExecutionMode.class),
                        fields.textOrNull("origin_session_id"),
                        TaskLabel.ofNullable(fields.textOrNull("label")),
                        fields.actor("actor"));
    }

    static @Nullable Ending ending(JsonFields fields) {
        Outcome outcome = fields.oneOfOrNull("outcome", Outcome.class);
        return outcome == null
                ? null
                : new Ending(outcome, fields.smallNumberOrNull("exit_code"), fields.smallNumberOrNull("signal"));
    }

    static List<LogEnd> logEnds(JsonFields fields) {
        JsonFields artifacts = fields.inOrNull("artifacts");
        var ends = new ArrayList<LogEnd>();
        if (artifacts != null) {
            JsonFields logs = artifacts.in("logs");
            for (Channel channel : Channel.values()) {
                JsonFields end = logs.inOrNull(channel.wireName());
                if (end != null) {
                    ends.add(new LogEnd(
                            logRef(channel, end),
                            end.number("bytes_total"),
                            end.number("bytes_stored"),
                            end.textOrNull("error"),
                            end.textOrNull("digest")));
                }
            }
        }
        return ends;
    }

    private static ToolTaskOutputDelta delta(JsonFields fields) {
        Channel channel = fields.oneOf("stream", Channel.class);
        JsonFields log = fields.in("artifacts").in("log");
        int bytes = log.smallNumber("bytes");
        Long firstLine = log.numberOrNull("first_line");
        LineSpan lines = firstLine == null ? null : new LineSpan(firstLine, log.smallNumber("lines"));
        return new ToolTaskOutputDelta(
                channel,
                log.number("offset_bytes"),
                bytes,
                log.number("bytes_stored"),
                lines,
                text(channel, fields, log, bytes));
    }

    private static @Nullable DeltaText text(Channel channel, JsonFields fields, JsonFields log, int bytes) {
        String chunk = fields.textOrNull("chunk");
        if (chunk == null) {
            return null;
        }
        LogRef ref = logRef(channel, log);
        Integer chunkBytes = fields.smallNumberOrNull("chunk_bytes");
        if (chunkBytes == null) {
            // From before it was told: then the chunk was the beginning of the delta.
            int shown = new DeltaText(chunk, ref).chunkBytes();
            return new DeltaText(chunk, shown, shown < bytes, false, ref);
        }
        return new DeltaText(chunk, chunkBytes, fields.flag("chunk_truncated"), log.flag("removed"), ref);
    }
}
