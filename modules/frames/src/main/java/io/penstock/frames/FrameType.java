package io.penstock.frames;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every type of frame: its name on the wire, its number in the stored form, and its readers. Numbers are never reused. */
public enum FrameType {
    UNKNOWN(0, "", UnknownFrame::readJson, UnknownFrame::readStored),
    TOOL_TASK_SPAWNED(1, "tool_task_spawned", ToolTaskSpawned::readJson, ToolTaskSpawned::readStored),
    TOOL_TASK_STATUS(2, "tool_task_status", ToolTaskStatus::readJson, ToolTaskStatus::readStored),
    TOOL_TASK_OUTPUT_DELTA(3, "tool_task_output_delta", ToolTaskOutputDelta::readJson, ToolTaskOutputDelta::readStored),
    TOOL_TASK_STDIN_WRITTEN(
            4, "tool_task_stdin_written", ToolTaskStdinWritten::readJson, ToolTaskStdinWritten::readStored),
    TOOL_TASK_RESIZED(5, "tool_task_resized", ToolTaskResized::readJson, ToolTaskResized::readStored),
    TOOL_TASK_SIGNALLED(6, "tool_task_signalled", ToolTaskSignalled::readJson, ToolTaskSignalled::readStored),
    TOOL_TASK_CANCEL_REQUESTED(
            7, "tool_task_cancel_requested", ToolTaskCancelRequested::readJson, ToolTaskCancelRequested::readStored),
    TOOL_TASK_CANCELLED(8, "tool_task_cancelled", ToolTaskCancelled::readJson, ToolTaskCancelled::readStored),
    ARTIFACT_WRITTEN(9, "artifact_written", ArtifactWritten::readJson, ArtifactWritten::readStored),
    TASK_POLICY_VERDICT(10, "task_policy_verdict", TaskPolicyVerdict::readJson, TaskPolicyVerdict::readStored),
    TASK_QUEUED(11, "task_queued", TaskQueued::readJson, TaskQueued::readStored),
    TASK_WATCHER_HIT(12, "task_watcher_hit", TaskWatcherHit::readJson, TaskWatcherHit::readStored),
    TASK_TURN_STARTED(13, "task_turn_started", TaskTurnStarted::readJson, TaskTurnStarted::readStored),
    TASK_TURN_SETTLED(14, "task_turn_settled", TaskTurnSettled::readJson, TaskTurnSettled::readStored),
    TASK_USAGE(15, "task_usage", TaskUsage::readJson, TaskUsage::readStored),
    TASK_RUN_STARTED(16, "task_run_started", TaskRunStarted::readJson, TaskRunStarted::readStored),
    TASK_SCREEN_KEYFRAME(17, "task_screen_keyframe", TaskScreenKeyframe::readJson, TaskScreenKeyframe::readStored),
    TASK_NOTICE(18, "task_notice", TaskNotice::readJson, TaskNotice::readStored),
    TASK_CLEARED(19, "task_cleared", TaskCleared::readJson, TaskCleared::readStored),
    TOOL_STDOUT(20, "tool_stdout", ToolStdout::readJson, ToolStdout::readStored),
    TOOL_STDERR(21, "tool_stderr", ToolStderr::readJson, ToolStderr::readStored),
    TOOL_ENDED(22, "tool_ended", ToolEnded::readJson, ToolEnded::readStored),
    TOOL_TASK_OUTPUT_GAP(23, "tool_task_output_gap", ToolTaskOutputGap::readJson, ToolTaskOutputGap::readStored),
    TASK_WATCHER_ADDED(24, "task_watcher_added", TaskWatcherAdded::readJson, TaskWatcherAdded::readStored),
    SESSION_STARTED(25, "session_started", SessionStarted::readJson, SessionStarted::readStored),
    SESSION_TASK_STARTED(26, "session_task_started", SessionTaskStarted::readJson, SessionTaskStarted::readStored),
    SESSION_WATCHER_HIT(27, "session_watcher_hit", SessionWatcherHit::readJson, SessionWatcherHit::readStored),
    SESSION_ACKNOWLEDGED(28, "session_acknowledged", SessionAcknowledged::readJson, SessionAcknowledged::readStored),
    SESSION_ENDED(29, "session_ended", SessionEnded::readJson, SessionEnded::readStored),
    SESSION_WEBHOOK_SET(30, "session_webhook_set", SessionWebhookSet::readJson, SessionWebhookSet::readStored),
    SESSION_WEBHOOK_DELIVERY(
            31, "session_webhook_delivery", SessionWebhookDelivery::readJson, SessionWebhookDelivery::readStored),
    TASK_PINNED(32, "task_pinned", TaskPinned::readJson, TaskPinned::readStored),
    TASK_AGENT_OPENED(33, "task_agent_opened", TaskAgentOpened::readJson, TaskAgentOpened::readStored),
    TASK_AGENT_MESSAGE(34, "task_agent_message", TaskAgentMessage::readJson, TaskAgentMessage::readStored),
    TASK_AGENT_TOOL_CALL(35, "task_agent_tool_call", TaskAgentToolCall::readJson, TaskAgentToolCall::readStored),
    TASK_AGENT_PLAN(36, "task_agent_plan", TaskAgentPlan::readJson, TaskAgentPlan::readStored),
    TASK_WOKE(37, "task_woke", TaskWoke::readJson, TaskWoke::readStored),
    TASK_STDIN_CLOSED(38, "task_stdin_closed", TaskStdinClosed::readJson, TaskStdinClosed::readStored),
    SESSION_TASK_ENDED(39, "session_task_ended", SessionTaskEnded::readJson, SessionTaskEnded::readStored),
    TASK_RESOURCE_USAGE(40, "task_resource_usage", TaskResourceUsage::readJson, TaskResourceUsage::readStored);

    private static final FrameType[] BY_CODE = values();
    private static final Map<String, FrameType> BY_NAME = Arrays.stream(BY_CODE)
            .filter(type -> type != UNKNOWN)
            .collect(Collectors.toUnmodifiableMap(FrameType::wireName, type -> type));

    private final int code;
    private final String wireName;
    private final Function<JsonFields, FrameBody> jsonReader;
    private final Function<ByteReader, FrameBody> storedReader;

    FrameType(
            int code,
            String wireName,
            Function<JsonFields, FrameBody> jsonReader,
            Function<ByteReader, FrameBody> storedReader) {
        this.code = code;
        this.wireName = wireName;
        this.jsonReader = jsonReader;
        this.storedReader = storedReader;
    }

    public int code() {
        return code;
    }

    FrameBody readJson(JsonFields fields) {
        return jsonReader.apply(fields);
    }

    FrameBody readStored(ByteReader in) {
        return storedReader.apply(in);
    }

    /** Empty for {@link #UNKNOWN}: each {@link UnknownFrame} has its own name. */
    public String wireName() {
        return wireName;
    }

    /** The type with this number; a number from a later version is refused, since its bytes cannot be read here. */
    public static FrameType ofCode(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    "Frame type number " + code + " is not known; the highest known here is " + (BY_CODE.length - 1)
                            + ". The record was written by a newer Penstock");
        }
        return BY_CODE[code];
    }

    /** The type with this name on the wire, or null. */
    public static @Nullable FrameType ofWireName(String name) {
        return BY_NAME.get(name);
    }
}
