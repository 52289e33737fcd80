package io.penstock.engine.launch;

import io.penstock.frames.AgentSpec;
import io.penstock.frames.TaskTurnStarted;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a task, and the first turn of its run.
 *
 * @param prompt the input of the turn; null for a program that waits for its first turn
 * @param promptId the caller's own name for the turn
 */
public record AgentTurn(
        AgentSpec spec,
        TaskTurnStarted.Kind kind,
        @Nullable String prompt,
        @Nullable String promptId) {}
