package io.penstock.engine.recovery;

import io.penstock.engine.launch.AgentTurn;
import io.penstock.engine.launch.QueuedSpawn;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskFolders;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.task.SpawnGate;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a task that a dead server left gets another run, and records that. Blocks. */
final class RunAgain {

    sealed interface Decision {}

    record RunsAgain(QueuedSpawn spawn, Verdict.Allow allowed) implements Decision {}

    /** @param because the rest of the sentence that says that the task is lost; empty unless it was to run again */
    record Ends(String because) implements Decision {}

    /** The agent had settled: the task ends as it would have. */
    record Settled() implements Decision {}

    private final TaskServices services;
    private final TaskFolders folders;

    RunAgain(TaskServices services, TaskFolders folders) {
        this.services = services;
        this.folders = folders;
    }

    /** What its lane and its next run need; null for a task that is not run again and holds up no other. */
    static @Nullable QueuedSpawn request(TaskFolders folders, String taskId) throws IOException {
        return folders.queue().contains(taskId)
                ? folders.queue().read(taskId)
                : folders.live().request(taskId);
    }

    /** Whether a question of policy about the task was open, so that its program was not started. */
    static boolean isUnanswered(TaskState state) {
        return state.run().question() != null && state.run().startedAtMs() == null;
    }

    /** The known facts about the end of the run. */
    static String how(RecordedTask task) {
        if (task.isSealing()) {
            return "the program had ended, but the server died before it recorded how";
        }
        return task.state().phase() == Phase.STOPPING
                ? "the server died while it stopped the task, so how it ended is not known"
                : "the server died while the task ran, so how it ended is not known";
    }

    /**
     * Decides it by what the task was spawned with, by what happened to it, and by the policy of today.
     *
     * @param survivors what the dead server's run left and could not be killed
     */
    Decision decide(String taskId, RecordedTask task, List<Survivor> survivors) throws IOException {
        if (hasSettled(task.state())) {
            return new Settled();
        }
        QueuedSpawn spawn = request(folders, taskId);
        boolean mayEnd = task.state().phase() == Phase.STOPPING || task.isSealing() || isUnanswered(task.state());
        if (spawn == null || !spawn.request().isRequeued() || mayEnd) {
            return new Ends("");
        }
        if (!survivors.isEmpty()) {
            return new Ends("; it is not run again, because what it started could not be ended");
        }
        if (task.recoveries() + 1 >= Limits.RUNS) {
            return new Ends("; it was run " + Limits.RUNS + " times, which is the maximum");
        }
        return switch (services.policy().get().verdict(SpawnGate.question(spawn.request()))) {
            case Verdict.Allow allowed -> new RunsAgain(withRunningTurn(spawn, task), allowed);
            case Verdict.Deny denied ->
                new Ends("; it is not run again: " + PolicyDenied.sentence(Operation.SPAWN, denied));
            case Verdict.Ask ask ->
                new Ends("; it is not run again without an answer to \"" + ask.question()
                        + "\": spawn it again to be asked");
        };
    }

    /** Whether all that was left to do was to end the agent's program. */
    private static boolean hasSettled(TaskState state) {
        AgentSpec agent = state.spec() == null ? null : state.spec().agent();
        return agent != null && agent.afterTurn() == AgentSpec.AfterTurn.END && state.phase() == Phase.IDLE;
    }

    /** The next run of an agent begins with the input that the lost one was working on. */
    private static QueuedSpawn withRunningTurn(QueuedSpawn spawn, RecordedTask task) {
        TaskTurnStarted turn = task.runningTurn();
        AgentTurn agent = spawn.request().agent();
        if (turn == null || agent == null) {
            return spawn;
        }
        var again = new AgentTurn(agent.spec(), TaskTurnStarted.Kind.PROMPT, turn.prompt(), turn.promptId());
        return new QueuedSpawn(spawn.arrival(), spawn.request().withAgent(again), spawn.budget());
    }

    /**
     * Records that the task is queued again. Its file in the queue comes first: a server that dies in between leaves a task that is queued by
     * its file, and by its frames either queued too or still to be recovered.
     */
    void record(String taskId, TaskRecord record, RunsAgain again) throws IOException {
        TaskRequest request = again.spawn().request();
        Verdict.Allow allowed = again.allowed();
        var budget = new TaskBudget(
                allowed.budgets(), allowed.rule(), request.timeout().toMillis());
        folders.queue().requeue(taskId, new QueuedSpawn(again.spawn().arrival(), request, budget));
        int run = record.accepted().run().number() + 1;
        record.write(new TaskRunStarted(run, TaskRunStarted.Kind.RECOVER, Actor.SERVER))
                .await();
        record.write(allowed.frame(Operation.SPAWN, request.actor())).await();
        folders.live().remove(taskId);
    }
}
