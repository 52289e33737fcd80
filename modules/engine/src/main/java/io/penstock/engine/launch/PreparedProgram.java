package io.penstock.engine.launch;

import io.penstock.engine.spawn.SpawnRequest;
import org.jspecify.annotations.Nullable;

/**
 * A checked program, ready to be launched.
 *
 * @param agent the agent and its first turn; null for a command
 */
public record PreparedProgram(SpawnRequest spawn, @Nullable AgentTurn agent) {}
