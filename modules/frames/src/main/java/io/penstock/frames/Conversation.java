package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The turns of an agent task so far.
 *
 * @param turns the number of turns started
 * @param runningTurn the kind of the turn that the agent is working on
 * @param result the result of the last turn that had one
 * @param usage the sum over all turns
 * @param agent what the frames say about the agent
 */
public record Conversation(
        int turns,
        TaskTurnStarted.@Nullable Kind runningTurn,
        @Nullable String result,
        TaskUsage usage,
        AgentState agent) {

    /** Before the first turn, and of a task without an agent. */
    static final Conversation NONE = new Conversation(0, null, null, new TaskUsage(0, 0, 0), AgentState.NONE);

    public Conversation {
        Checks.notNegative(turns, "turns");
    }

    Conversation began(TaskTurnStarted turn, long atMs) {
        return new Conversation(turn.turn(), turn.kind(), result, usage, agent.began(turn.kind(), atMs));
    }

    Conversation settled(TaskTurnSettled turn, long atMs) {
        return new Conversation(turns, null, turn.result() == null ? result : turn.result(), usage, agent.seen(atMs));
    }

    /** The end of a run also ends its turn. */
    Conversation withoutTurn() {
        return runningTurn == null ? this : new Conversation(turns, null, result, usage, agent);
    }

    Conversation with(TaskUsage sum) {
        return new Conversation(turns, runningTurn, result, sum, agent);
    }

    Conversation with(AgentState changed) {
        return new Conversation(turns, runningTurn, result, usage, changed);
    }
}
