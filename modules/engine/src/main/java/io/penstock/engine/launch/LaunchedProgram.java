package io.penstock.engine.launch;

import io.penstock.engine.spawn.RunningProcess;
import org.jspecify.annotations.Nullable;

/**
 * A running program, for its owner to attach.
 *
 * @param folder the absolute folder that it was started in
 * @param agent the agent and its first turn; null for a command
 */
public record LaunchedProgram(
        RunningProcess process, String folder, @Nullable AgentTurn agent) {}
