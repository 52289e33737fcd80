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
 * What is told of a task, in its status and in lists.
 *
 * @param asked what it was asked to be; null where a refusal did not record it
 * @param logs what there is of each output, by now or in the end
 * @param nextSeq how many frames it has
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
        long nextSeq) {

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
                state.nextSeq());
    }

    /** Of a task that has ended, from the two frames that say most of it. */
    static TaskView of(TaskRow row, ToolTaskStatus end) {
        return new TaskView(
                row.taskId(),
                row.asked(),
                row.phase(),
                end.ending(),
                row.startedAtMs(),
                row.endedAtMs(),
                // It tells of the logs unless nothing was ever run that could have written to them.
                logs(row.spec(), end.logs(), OutputTotals.NONE),
                end.error(),
                row.nextSeq());
    }

    private static List<LogEnd> logs(@Nullable ToolTaskSpawned spec, List<LogEnd> ends, OutputTotals output) {
        return !ends.isEmpty() || spec == null
                ? ends
                : spec.logs().stream()
                        .map(log -> new LogEnd(log, output.total(log.channel()), output.stored(log.channel()), null))
                        .toList();
    }
}
