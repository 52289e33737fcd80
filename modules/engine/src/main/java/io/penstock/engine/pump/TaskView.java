package io.penstock.engine.pump;

import io.penstock.engine.log.TaskRow;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.OutputTotals;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as its status and lists show it.
 *
 * @param asked the request; null for a refusal that did not record it
 * @param logs the current or final sizes of the outputs
 * @param nextSeq the number of its frames
 * @param agentLatest the newest thing that the agent of a living agent task said or did, shortened; else null
 */
public record TaskView(
        String taskId,
        @Nullable SpawnSpec asked,
        Phase phase,
        @Nullable Ending ending,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        List<LogEnd> logs,
        @Nullable String error,
        long nextSeq,
        boolean pinned,
        @Nullable String agentLatest) {

    public TaskView {
        logs = List.copyOf(logs);
    }

    public static TaskView of(String taskId, TaskState state) {
        return new TaskView(
                taskId,
                state.asked(),
                state.phase(),
                state.run().ending(),
                state.run().startedAtMs(),
                state.run().endedAtMs(),
                logs(state.spec(), state.run().logs(), state.output()),
                state.run().error(),
                state.nextSeq(),
                state.pinned(),
                state.agent().latest());
    }

    /** The view of an ended task, from its row and its last status. */
    static TaskView of(TaskRow row, ToolTaskStatus end) {
        return new TaskView(
                row.taskId(),
                row.asked(),
                row.phase(),
                end.ending(),
                row.startedAtMs(),
                row.endedAtMs(),
                // The status has the logs unless no program was ever started.
                logs(row.spec(), end.logs(), OutputTotals.NONE),
                end.error(),
                row.nextSeq(),
                row.pinned(),
                null);
    }

    private static List<LogEnd> logs(@Nullable ToolTaskSpawned spec, List<LogEnd> ends, OutputTotals output) {
        return !ends.isEmpty() || spec == null
                ? ends
                : spec.logs().stream()
                        .map(log -> new LogEnd(log, output.total(log.channel()), output.stored(log.channel()), null))
                        .toList();
    }
}
