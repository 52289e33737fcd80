package io.penstock.engine.log;

import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * A task as found in the list: its state after some frame, without reading its whole stream.
 *
 * @param spec null if the spawn was refused
 * @param toldEnd the status that recorded its end, once it has ended
 */
public record TaskRow(
        long streamNo,
        String taskId,
        Phase phase,
        @Nullable Outcome outcome,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        long nextSeq,
        @Nullable ToolTaskSpawned spec,
        @Nullable ToolTaskStatus toldEnd,
        boolean pinned) {

    /** The task's specification; null if it was refused without recording one. */
    public @Nullable SpawnSpec asked() {
        return spec != null || toldEnd == null ? spec : toldEnd.refused();
    }
}
