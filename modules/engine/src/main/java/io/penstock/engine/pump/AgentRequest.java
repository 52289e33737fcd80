package io.penstock.engine.pump;

import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request to run an agent program as a task.
 *
 * @param toolName recorded as the task's tool, such as task_spawn
 * @param prompt the input of the first turn; null for a program that waits for its first turn
 * @param profile the configured program; null for the usual one
 * @param links how it is related to other tasks
 */
public record AgentRequest(
        String toolName,
        String sessionId,
        @Nullable String prompt,
        @Nullable String promptId,
        @Nullable String profile,
        @Nullable String model,
        @Nullable String thinking,
        AgentSpec.AfterTurn afterTurn,
        @Nullable TaskLabel label,
        @Nullable String title,
        @Nullable String cwd,
        TaskLinks links,
        Duration timeout,
        Actor actor) {}
