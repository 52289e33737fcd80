package io.penstock.engine.log;

import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * A task as a list finds it: what its frames up to some moment say of its life, without having read them all.
 *
 * @param spec null if the spawn was refused
 * @param toldEnd the status that told its end, once it has ended
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
        @Nullable ToolTaskStatus toldEnd) {}
