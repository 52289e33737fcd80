package io.penstock.frames;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every type of frame: its name on the wire and its number in the stored form. Numbers are never reused. */
public enum FrameType {
    UNKNOWN(0, ""),
    TOOL_TASK_SPAWNED(1, "tool_task_spawned"),
    TOOL_TASK_STATUS(2, "tool_task_status"),
    TOOL_TASK_OUTPUT_DELTA(3, "tool_task_output_delta"),
    TOOL_TASK_STDIN_WRITTEN(4, "tool_task_stdin_written"),
    TOOL_TASK_RESIZED(5, "tool_task_resized"),
    TOOL_TASK_SIGNALLED(6, "tool_task_signalled"),
    TOOL_TASK_CANCEL_REQUESTED(7, "tool_task_cancel_requested"),
    TOOL_TASK_CANCELLED(8, "tool_task_cancelled"),
    ARTIFACT_WRITTEN(9, "artifact_written"),
    TASK_POLICY_VERDICT(10, "task_policy_verdict"),
    TASK_QUEUED(11, "task_queued"),
    TASK_WATCHER_HIT(12, "task_watcher_hit"),
    TASK_TURN_STARTED(13, "task_turn_started"),
    TASK_TURN_SETTLED(14, "task_turn_settled"),
    TASK_USAGE(15, "task_usage"),
    TASK_RUN_STARTED(16, "task_run_started"),
    TASK_SCREEN_KEYFRAME(17, "task_screen_keyframe"),
    TASK_NOTICE(18, "task_notice"),
    TASK_CLEARED(19, "task_cleared"),
    TOOL_STDOUT(20, "tool_stdout"),
    TOOL_STDERR(21, "tool_stderr"),
    TOOL_ENDED(22, "tool_ended"),
    TOOL_TASK_OUTPUT_GAP(23, "tool_task_output_gap");

    private static final FrameType[] BY_CODE = values();
    private static final Map<String, FrameType> BY_NAME = Arrays.stream(BY_CODE)
            .filter(type -> type != UNKNOWN)
            .collect(Collectors.toUnmodifiableMap(FrameType::wireName, type -> type));

    private final int code;
    private final String wireName;

    FrameType(int code, String wireName) {
        this.code = code;
        this.wireName = wireName;
    }

    public int code() {
        return code;
    }

    /** Empty for {@link #UNKNOWN}, whose frames carry their own. */
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
