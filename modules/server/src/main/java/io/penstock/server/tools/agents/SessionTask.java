package io.penstock.server.tools.agents;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Ending;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task of a session at one moment. */
public record SessionTask(String taskId, TaskState state) {

    public SpawnSpec asked() {
        return Objects.requireNonNull(state.asked(), "a task of a session has a request");
    }

    public @Nullable String label() {
        TaskLabel label = asked().label();
        return label == null ? null : label.text();
    }

    /** The agent of an agent task; null for a command. */
    public @Nullable AgentSpec agent() {
        ToolTaskSpawned spec = state.spec();
        return spec == null ? null : spec.agent();
    }

    public TaskLinks links() {
        ToolTaskSpawned spec = state.spec();
        TaskLinks links = spec == null ? null : spec.links();
        return links == null ? TaskLinks.NONE : links;
    }

    /** Stops it with its descendants, and waits for its end, which takes some seconds if its program does not obey. */
    public Future<SessionTask> stop(TaskApi tasks, @Nullable String reason, Actor actor) {
        return tasks.apply(new TaskCommand.Cancel(taskId, reason, actor))
                .compose(requested -> tasks.awaitState(taskId, SessionTask::isOver, TaskToolLimits.STOP_MS)
                        .state())
                .map(state -> new SessionTask(taskId, state));
    }

    /** In the words of the contract of the task tools. */
    public String status() {
        return Objects.requireNonNull(ContractStatus.taskTools(state.phase(), state.outcome()));
    }

    /** Whether its run has ended. */
    public boolean isOver() {
        return isOver(state);
    }

    public static boolean isOver(TaskState state) {
        return state.run().ending() != null;
    }

    /** Whether there is a result to fetch: the run has ended, or the agent waits for its next turn. */
    public static boolean isDone(TaskState state) {
        return isOver(state) || (state.phase() == Phase.IDLE && stays(state));
    }

    private static boolean stays(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        AgentSpec agent = spec == null ? null : spec.agent();
        return agent != null && agent.afterTurn() == AgentSpec.AfterTurn.STAY;
    }

    /** Seconds from the start of its program to its end, or to now; null if it has not started. */
    public @Nullable Long elapsedSecs(long nowMs) {
        Long startedAt = state.run().startedAtMs();
        Long endedAt = state.run().endedAtMs();
        return startedAt == null ? null : Math.max(0, (endedAt == null ? nowMs : endedAt) - startedAt) / 1_000;
    }

    public @Nullable Integer exitCode() {
        Ending ending = state.run().ending();
        return ending == null ? null : ending.exitCode();
    }
}
