package io.penstock.engine.pump;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.launch.AgentTurn;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.recovery.AgentResume;
import io.penstock.engine.session.Delivery;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.agent.WorkspaceFiles;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Limits;
import io.penstock.frames.OnLost;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The door to agent tasks, beside {@link TaskApi}, which has what they share with other tasks: their state, lists, frames, answers to
 * questions and cancellation (which takes their descendants with it). May be called from any thread.
 */
public final class AgentApi {

    /** Of the prompt, as the arguments of the task show it to policy. */
    private static final int SHOWN_PROMPT_CHARS = 4096;

    private static final int TITLE_CHARS = 80;

    /** Of a run that the end of another task caused. */
    private static final Duration WAKE_TIMEOUT = Duration.ofHours(1);

    private final TaskServices services;
    private final TaskApi tasks;
    private final AgentResume resumed;
    private final Shards shards;
    private final TurnPace pace;
    private final WorkspaceFiles files;

    AgentApi(TaskServices services, TaskApi tasks, AgentResume resumed, Shards shards) {
        this.services = services;
        this.tasks = tasks;
        this.resumed = resumed;
        this.shards = shards;
        this.pace = new TurnPace(services.agents().profiles().rates(), System::nanoTime);
        this.files = new WorkspaceFiles(services.agents().workspace());
    }

    /** The agent programs that may be run. */
    public AgentProfiles profiles() {
        return services.agents().profiles();
    }

    /**
     * Starts an agent task; completes with its id when its first frames are accepted. Its program is started afterwards, when its lane has
     * room. Fails with {@code QUOTA_EXCEEDED} if the queue is full, it is too deep or the profile has begun too many turns lately.
     */
    public Future<String> spawn(AgentRequest request) {
        checkPrompt(request.prompt());
        AgentProfile profile = profiles().profile(request.profile());
        if (request.links().depth() > Limits.TASK_DEPTH) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED, "Tasks are nested at most " + Limits.TASK_DEPTH + " levels deep");
        }
        if (request.prompt() != null) {
            pace.admit(profile.name(), request.afterTurn() == AgentSpec.AfterTurn.END);
        }
        return tasks.spawn(task(request, profile));
    }

    private static TaskRequest task(AgentRequest request, AgentProfile profile) {
        AgentSpec spec = spec(request, profile);
        String prompt = request.prompt();
        JsonObject args = new JsonObject().put("profile", profile.name());
        putPresent(args, "model", request.model());
        putPresent(args, "thinking", request.thinking());
        putPresent(args, "prompt", prompt == null ? null : WholeCharacters.beginning(prompt, SHOWN_PROMPT_CHARS));
        boolean ends = request.afterTurn() == AgentSpec.AfterTurn.END;
        return TaskRequest.builder(
                        request.toolName(), profile.command(request.model(), request.thinking()), request.actor())
                .args(new JsonText(args.encode()))
                .cwd(request.cwd())
                .title(title(request))
                .label(request.label())
                .originSessionId(request.sessionId())
                .timeout(request.timeout())
                .agent(new AgentTurn(spec, TaskTurnStarted.Kind.PROMPT, prompt, request.promptId()))
                .links(request.links())
                // A program that waits for its next turn has lost nothing that could be done again.
                .onLost(ends ? OnLost.REQUEUE : OnLost.END)
                .build();
    }

    private static AgentSpec spec(AgentRequest request, AgentProfile profile) {
        try {
            return new AgentSpec(
                    profile.name(), profile.protocol(), request.model(), request.thinking(), request.afterTurn());
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        }
    }

    private static void putPresent(JsonObject args, String name, @Nullable String value) {
        if (value != null) {
            args.put(name, value);
        }
    }

    private static @Nullable String title(AgentRequest request) {
        String prompt = request.prompt();
        if (request.title() != null || prompt == null) {
            return request.title();
        }
        String line = prompt.strip().lines().findFirst().orElse("");
        return line.isEmpty() ? null : WholeCharacters.beginning(line, TITLE_CHARS);
    }

    private static void checkPrompt(@Nullable String prompt) {
        int bytes = prompt == null ? 0 : prompt.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Limits.ARGS_BYTES) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "A prompt has at most " + Limits.ARGS_BYTES + " bytes in UTF-8, this one has " + bytes);
        }
    }

    /**
     * Gives a living agent input: {@code STEER} during a turn changes its course, {@code FOLLOW_UP} during a turn comes after it, and each of
     * them, as {@code PROMPT}, starts a turn if none is running. Completes with the seq of {@code task_turn_started} when that is recorded.
     * Fails with {@code TASK_NOT_READY} if the program is not there, or for a {@code PROMPT} while a turn is running, and with {@code
     * QUOTA_EXCEEDED} if the profile has begun too many turns lately.
     */
    public Future<Long> prompt(
            String taskId, TaskTurnStarted.Kind kind, String text, @Nullable String promptId, Actor actor) {
        checkPrompt(text);
        return admitted(taskId, kind == TaskTurnStarted.Kind.STEER)
                .compose(admitted -> give(taskId, kind, text, promptId, actor));
    }

    private Future<Long> give(
            String taskId, TaskTurnStarted.Kind kind, String text, @Nullable String promptId, Actor actor) {
        return tasks.apply(new TaskCommand.Prompt(taskId, kind, text, promptId, actor))
                .map(Objects::requireNonNull);
    }

    /** @param steers whether the input belongs to the running turn, if there is one */
    private Future<Void> admitted(String taskId, boolean steers) {
        if (!pace.isLimited()) {
            return Future.succeededFuture();
        }
        return tasks.state(taskId).map(state -> {
            AgentSpec agent = state.spec() == null ? null : state.spec().agent();
            if (agent != null && !(steers && state.runningTurn() != null)) {
                pace.admit(agent.profile(), agent.afterTurn() == AgentSpec.AfterTurn.END);
            }
            return null;
        });
    }

    /** Ends the running turn of a living agent early; the program stays. */
    public Future<@Nullable Long> interrupt(String taskId, Actor actor) {
        return tasks.apply(new TaskCommand.Interrupt(taskId, actor));
    }

    /**
     * Starts another run of an ended agent task, which loads the conversation. Completes with the task's new run number when
     * that is recorded ({@code task_run_started}); the turn of the kind {@code RESUME} starts when the program has opened the conversation.
     * Fails with {@code TASK_NOT_READY} if the task has not ended, {@code SESSION_GONE} if its conversation cannot be loaded again, {@code
     * QUOTA_EXCEEDED} if the profile has begun too many turns lately.
     *
     * @param prompt the input of the turn; null for a program that waits for its next turn
     */
    public Future<Integer> resume(
            String taskId, @Nullable String prompt, @Nullable String promptId, Duration timeout, Actor actor) {
        checkPrompt(prompt);
        Future<Void> admitted = prompt == null ? Future.succeededFuture() : admitted(taskId, false);
        return admitted.compose(
                begins -> resume(taskId, prompt, promptId, AgentResume.Choice.AS_SPAWNED, timeout, actor));
    }

    private Future<Integer> resume(
            String taskId,
            @Nullable String prompt,
            @Nullable String promptId,
            AgentResume.Choice choice,
            Duration timeout,
            Actor actor) {
        return tasks.state(taskId)
                .compose(exists ->
                        BlockingSteps.run(() -> resumed.resume(taskId, prompt, promptId, choice, timeout, actor)));
    }

    /**
     * The same for a program that waits for its next turn.
     *
     * @param model of this run; null for the one of the spawn
     * @param thinking of this run; null for the one of the spawn
     */
    public Future<Integer> reopen(
            String taskId, @Nullable String model, @Nullable String thinking, Duration timeout, Actor actor) {
        return resume(taskId, null, null, new AgentResume.Choice(model, thinking), timeout, actor);
    }

    /** Creates a folder for an agent; completes with its path relative to the workspace. Refuses one that is not in it. */
    public Future<String> createFolder(String path) {
        return BlockingSteps.run(() -> files.createFolder(path));
    }

    /** Replaces a text file of the workspace: a reader sees the old one or the new one, whole. */
    public Future<Void> replaceFile(String path, String content) {
        return BlockingSteps.run(() -> {
            files.replace(path, content);
            return null;
        });
    }

    /**
     * Gives an agent a message: as a turn after the running one, or as a resumed turn if its task has ended. It waits for no rate: a wake
     * happens once or never.
     */
    Future<Void> wake(String taskId, String message, String promptId, Actor actor) {
        return tasks.state(taskId)
                .compose(state -> isOver(state)
                        ? resume(taskId, message, promptId, AgentResume.Choice.AS_SPAWNED, WAKE_TIMEOUT, actor)
                                .mapEmpty()
                        : give(taskId, TaskTurnStarted.Kind.FOLLOW_UP, message, promptId, actor)
                                .mapEmpty());
    }

    private static boolean isOver(TaskState state) {
        return state.phase() == Phase.ENDED;
    }

    /**
     * Announces a caller that waits for the end of a task: if it gets the result, the end is no mailbox item. Say so with {@link
     * Delivery#done}, also if it does not.
     */
    public Delivery expect(String taskId) {
        return services.sessions().expect(taskId);
    }

    /** Records that the result of an ended task was retrieved ({@code task_notice}); completes with the seq of the frame. */
    public Future<Long> retrieved(String taskId, Actor actor) {
        // Not when all is done that follows from the end: a notification waits for the answer that this belongs to.
        return shards.request(taskId, new ShardRequest.Closed(taskId))
                .compose(done -> new EndedTaskWriter(services, taskId)
                        .append(
                                state -> new TaskNotice(
                                        TaskNotice.RESULT_RETRIEVED,
                                        "The result of run " + state.run().number() + " was retrieved by " + actor),
                                new Failure(FailureCode.TASK_NOT_READY, "The task " + taskId + " has not ended")))
                .map(Objects::requireNonNull);
    }

    /** Clears an ended task from its owner's lists ({@code task_cleared}); its frames stay until retention. */
    public Future<Void> clear(String taskId, Actor actor) {
        return tasks.clear(taskId, actor);
    }
}
