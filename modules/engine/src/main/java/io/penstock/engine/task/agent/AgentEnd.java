package io.penstock.engine.task.agent;

import org.jspecify.annotations.Nullable;

/**
 * How the run of an agent ended, according to the conversation.
 *
 * @param error why it failed; null if the agent had settled
 */
public record AgentEnd(@Nullable String error) {}
