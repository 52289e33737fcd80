package io.penstock.engine.recovery;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.launch.AgentTurn;
import io.penstock.engine.launch.QueuedSpawn;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskFolders;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.task.QueuedTask;
import io.penstock.engine.task.SpawnGate;
import io.penstock.engine.task.TaskOutput;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.OnLost;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queues another run of an agent task that has ended; the run loads the conversation. It is queued by a file and by frames, in the order of
 * {@link RunAgain}: a server that dies in between leaves a task that has ended. All of it blocks.
 */
public final class AgentResume {

    /** More than the record of an end takes while the database is there. */
    private static final long SETTLED_WITHIN_MS = 10_000;

    /**
     * What the run may have otherwise than the task's spawn.
     *
     * @param model null for the spawn's
     * @param thinking null for the spawn's
     */
    public record Choice(@Nullable String model, @Nullable String thinking) {

        public static final Choice AS_SPAWNED = new Choice(null, null);

        AgentSpec of(AgentSpec spawned) {
            return new AgentSpec(
                    spawned.profile(),
                    spawned.protocol(),
                    model == null ? spawned.model() : model,
                    thinking == null ? spawned.thinking() : thinking,
                    spawned.afterTurn());
        }
    }

    private final TaskServices services;
    private final TaskFolders folders;
    private final TaskResumer shards;
    private final Function<String, Future<?>> settled;
    private final Set<String> resuming = ConcurrentHashMap.newKeySet();

    /** @param settled completes when everything that follows from the end of a task's last run is done */
    public AgentResume(
            TaskServices services, TaskFolders folders, TaskResumer shards, Function<String, Future<?>> settled) {
        this.services = services;
        this.folders = folders;
        this.shards = shards;
        this.settled = settled;
    }

    /**
     * Returns the number of the new run when its shard has the task.
     *
     * @param prompt the input of its first turn; null for a program that waits for it
     * @param choice recorded as a notice if it differs from the spawn
     */
    public int resume(
            String taskId,
            @Nullable String prompt,
            @Nullable String promptId,
            Choice choice,
            Duration timeout,
            Actor actor)
            throws IOException {
        if (!resuming.add(taskId)) {
            throw new Failure(FailureCode.TASK_NOT_READY, "The task " + taskId + " is being resumed already");
        }
        try {
            awaitSettled(taskId);
            RecordedTask task = read(taskId);
            TaskRequest request = request(taskId, task.state(), prompt, promptId, choice, timeout, actor);
            Verdict.Allow allowed = allowed(taskId, request);
            LaneSlot slot = services.lanes().enter(request.lane());
            boolean queued = false;
            try {
                queue(taskId, task, request, allowed, slot, actor);
                queued = true;
            } finally {
                if (!queued) {
                    services.lanes().release(slot);
                }
            }
            return task.state().run().number();
        } finally {
            resuming.remove(taskId);
        }
    }

    /** The last run removes its file when it has settled, which must not be that of the next. */
    private void awaitSettled(String taskId) {
        settled.apply(taskId)
                .timeout(SETTLED_WITHIN_MS, TimeUnit.MILLISECONDS)
                .recover(e -> Future.failedFuture(new Failure(
                        FailureCode.TASK_NOT_READY,
                        "The end of the last run of " + taskId + " is still being recorded; try again",
                        e)))
                .await();
    }

    private RecordedTask read(String taskId) {
        var task = new RecordedTask();
        StreamId stream = StreamId.task(taskId);
        Page page;
        do {
            page = services.log()
                    .read(stream, task.state().nextSeq(), Limits.PAGE_FRAMES)
                    .await();
            page.frames().forEach(task::add);
        } while (!page.frames().isEmpty());
        return task;
    }

    private TaskRequest request(
            String taskId,
            TaskState state,
            @Nullable String prompt,
            @Nullable String promptId,
            Choice choice,
            Duration timeout,
            Actor actor) {
        ToolTaskSpawned spec = state.spec();
        AgentSpec agent = spec == null || spec.agent() == null ? null : choice.of(spec.agent());
        if (spec == null || state.cleared()) {
            throw new Failure(FailureCode.TASK_NOT_FOUND, "There is no task " + taskId + " to resume");
        }
        if (agent == null) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST, "The task " + taskId + " runs a command; only an agent is resumed");
        }
        if (state.phase() != Phase.ENDED) {
            throw new Failure(
                    FailureCode.TASK_NOT_READY,
                    "The task " + taskId + " is " + state.phase().wireName() + "; only one that has ended is resumed");
        }
        if (state.turns() > 0 && !state.agent().canLoad()) {
            throw new Failure(
                    FailureCode.SESSION_GONE,
                    "The task " + taskId + " cannot be resumed, because the agent program " + agent.profile()
                            + " keeps no conversations. Start a new one to continue.");
        }
        AgentProfile profile = services.agents().profiles().profile(agent.profile());
        return TaskRequest.builder(spec.toolName(), profile.command(agent.model(), agent.thinking()), actor)
                .args(spec.args())
                .cwd(spec.cwd())
                .title(spec.title())
                .label(spec.label())
                .originSessionId(spec.originSessionId())
                .artifactMaxBytes(spec.artifactMaxBytes())
                .maxBytes(spec.maxBytes())
                .timeout(timeout)
                .agent(new AgentTurn(agent, TaskTurnStarted.Kind.RESUME, prompt, promptId))
                .links(spec.links())
                .onLost(spec.onLost() == null ? OnLost.END : spec.onLost())
                .build();
    }

    private Verdict.Allow allowed(String taskId, TaskRequest request) {
        return switch (services.policy().get().verdict(SpawnGate.question(request))) {
            case Verdict.Allow allow -> allow;
            case Verdict.Deny denied -> throw new PolicyDenied(taskId, Operation.SPAWN, denied);
            case Verdict.Ask ask ->
                throw new Failure(
                        FailureCode.POLICY_DENIED,
                        "The task " + taskId + " is not resumed without an answer to \"" + ask.question()
                                + "\": start a new one to be asked");
        };
    }

    private void queue(
            String taskId, RecordedTask task, TaskRequest request, Verdict.Allow allowed, LaneSlot slot, Actor actor)
            throws IOException {
        var budget = new TaskBudget(
                allowed.budgets(), allowed.rule(), request.timeout().toMillis());
        StreamWriter writer = services.log().open(StreamId.task(taskId)).await();
        TaskOutput output = null;
        try {
            if (writer.nextSeq() != task.state().nextSeq()) {
                throw new Failure(
                        FailureCode.TASK_NOT_READY, "The task " + taskId + " was changed at the same time; try again");
            }
            output = TaskOutput.ofNextRun(services, task);
            folders.queue().addAccepted(taskId, new QueuedSpawn(slot.arrival(), request, budget));
            var record = new TaskRecord(writer, services.clockMs(), task.state());
            int run = task.state().run().number() + 1;
            task.add(record.write(new TaskRunStarted(run, TaskRunStarted.Kind.RESUME, actor))
                    .await());
            task.add(record.write(allowed.frame(Operation.SPAWN, actor)).await());
            AgentSpec agent = request.agent() == null ? null : request.agent().spec();
            if (agent != null
                    && task.state().spec() != null
                    && !agent.equals(task.state().spec().agent())) {
                task.add(record.write(new TaskNotice(
                                "agent_choice",
                                "This run has the model " + agent.model() + " and the level of thinking "
                                        + agent.thinking()))
                        .await());
            }
            shards.resume(new QueuedTask(taskId, writer, task.state(), budget, slot, task, List.of(), output))
                    .await();
        } catch (IOException | RuntimeException e) {
            writer.close();
            if (output != null) {
                output.discard();
            }
            if (task.state().phase() == Phase.ENDED) {
                folders.queue().forget(taskId);
            }
            throw e;
        }
    }
}
