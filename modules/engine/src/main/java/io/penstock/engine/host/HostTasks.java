package io.penstock.engine.host;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.AgentRequest;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The door to the tasks of hosts: agent tasks whose programs stay, with one selected task for all hosts. Lives on one context, so that switches
 * and prompts have one order.
 */
public final class HostTasks {

    /** Hosts get events, so the end of a task is no mailbox item. */
    private static final TaskLinks QUIET = new TaskLinks(null, 0, null, false, null);

    record Found(String taskId, TaskState state) {}

    private final TaskApi tasks;
    private final AgentApi agents;
    private final Actor actor;
    private final OneThread thread;
    private final HostDirectory directory;
    private final Selection selection = new Selection();
    private final OpenTasks open;
    private final Set<String> opening = new HashSet<>();

    /**
     * @param actor who the hosts are
     * @param context of all calls
     */
    public HostTasks(TaskApi tasks, AgentApi agents, Actor actor, Context context) {
        this.tasks = tasks;
        this.agents = agents;
        this.actor = actor;
        this.thread = new OneThread(context);
        this.directory = new HostDirectory(tasks, thread);
        this.open = new OpenTasks(tasks, agents, thread, selection, directory);
    }

    /** Takes over the tasks whose programs were not started yet when an earlier server ended: they are about to run. */
    public Future<?> adopt() {
        return directory
                .list(null)
                .compose(listed -> Future.join(listed.byName().entrySet().stream()
                        .filter(entry -> waits(entry.getValue().phase()))
                        .map(entry -> adopt(entry.getKey(), entry.getValue().taskId()))
                        .toList()));
    }

    private static boolean waits(Phase phase) {
        return phase == Phase.QUEUED || phase == Phase.STARTING;
    }

    private Future<?> adopt(String name, String taskId) {
        return thread.here(tasks.state(taskId)).onSuccess(state -> {
            if (state.phase() != Phase.ENDED) {
                open.opened(name, taskId, state);
            }
        });
    }

    /** From now on, the host gets the events of all tasks. */
    public ConnectedHost connect(ConnectedHost.Outbox outbox) {
        var host = new ConnectedHost(this, open, tasks, thread, outbox);
        open.connected(host);
        return host;
    }

    Future<HostAnswer> createOrOpen(HostCommand.CreateOrOpen wanted) {
        String name = wanted.task().text();
        if (!opening.add(name)) {
            throw notReady("The task " + name + " is being opened by another request");
        }
        return find(wanted.task())
                .compose(found -> found == null ? create(name, wanted) : reopen(name, found, wanted))
                .onComplete(done -> opening.remove(name));
    }

    private Future<HostAnswer> create(String name, HostCommand.CreateOrOpen wanted) {
        String folder = Objects.requireNonNullElse(wanted.folder(), "/sessions/" + name + "/work");
        return thread.here(agents.createFolder(folder))
                .compose(cwd -> thread.here(agents.spawn(new AgentRequest(
                                HostDirectory.TOOL,
                                HostDirectory.SESSION,
                                null,
                                null,
                                null,
                                wanted.model(),
                                wanted.thinking(),
                                AgentSpec.AfterTurn.STAY,
                                wanted.task(),
                                name,
                                cwd,
                                QUIET,
                                HostLimits.RUN,
                                actor)))
                        .onSuccess(taskId ->
                                directory.created(name, new HostDirectory.Entry(taskId, Phase.QUEUED, null, cwd))))
                .compose(taskId -> ready(name, taskId, TaskState.ABSENT, 1, "created"));
    }

    private Future<HostAnswer> reopen(String name, Found found, HostCommand.CreateOrOpen wanted) {
        if (open.has(name) && found.state().phase() != Phase.ENDED) {
            throw notReady("The task " + name + " is open already");
        }
        return awaitState(found.taskId(), state -> state.phase() == Phase.ENDED, HostLimits.LOST_MS)
                .compose(state -> sameFolder(name, state, wanted.folder())
                        .compose(same -> thread.here(agents.reopen(
                                found.taskId(), wanted.model(), wanted.thinking(), HostLimits.RUN, actor)))
                        .compose(run -> ready(
                                name,
                                found.taskId(),
                                state,
                                run,
                                TaskWords.wasStopped(state) ? "resumed" : "recovered")));
    }

    /** The folder of a task exists, and is the one that is wanted, if one is. */
    private Future<?> sameFolder(String name, TaskState state, @Nullable String wanted) {
        String cwd = folder(state);
        return thread.here(agents.createFolder(wanted == null ? cwd : wanted)).map(given -> {
            if (!given.equals(cwd)) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "workingFolder is \"" + WholeCharacters.fitting(given, 100) + "\", but the task " + name
                                + " works in \"/" + cwd + "\": a task keeps its folder");
            }
            return given;
        });
    }

    private static String folder(TaskState state) {
        return state.spec() == null
                ? ""
                : Objects.requireNonNullElse(state.spec().cwd(), "");
    }

    private Future<TaskState> awaitState(String taskId, Predicate<TaskState> enough, long waitMs) {
        return thread.here(tasks.awaitState(taskId, enough, waitMs).state());
    }

    /** Waits until the program of a run waits for its first turn. */
    private Future<HostAnswer> ready(String name, String taskId, TaskState before, int run, String mode) {
        open.opened(name, taskId, before);
        return awaitState(
                        taskId,
                        state -> state.run().number() >= run && state.phase() != Phase.QUEUED,
                        HostLimits.PLACE_MS)
                .compose(state -> state.phase() == Phase.QUEUED
                        ? withoutPlace(name, taskId)
                        : awaitState(
                                        taskId,
                                        now -> TaskWords.isReady(now) || now.phase() == Phase.ENDED,
                                        HostLimits.OPEN_MS)
                                .map(now -> opened(name, taskId, now, mode)));
    }

    private Future<HostAnswer> withoutPlace(String name, String taskId) {
        return thread.here(tasks.apply(new TaskCommand.Cancel(taskId, "no place among the running agents", actor)))
                .map(cancelled -> HostAnswer.error(HostRefusal.notReady(
                        "As many agents run as may run at once; stop one, then open " + name + " again")));
    }

    private static HostAnswer opened(String name, String taskId, TaskState state, String mode) {
        long last = state.nextSeq() - 1;
        if (TaskWords.isReady(state)) {
            return HostAnswer.result(new JsonObject()
                            .put("taskId", name)
                            .put("state", "ready")
                            .put("mode", mode))
                    .after(taskId, last);
        }
        HostRefusal why = state.phase() != Phase.ENDED
                ? HostRefusal.notReady("The task " + name + " is still being started; get_state says when it is ready")
                : TaskWords.wasStopped(state)
                        ? HostRefusal.notReady("The task " + name + " was stopped while it was being opened")
                        : HostRefusal.dead("The task " + name + " was not opened: "
                                + Objects.requireNonNullElse(state.run().error(), "its program ended"));
        return HostAnswer.error(why).after(taskId, last);
    }

    SwitchAttempt switchTo(TaskLabel task) {
        return new SwitchAttempt(this, open, tasks, thread, selection, task);
    }

    /** Gives the selected task a prompt. */
    Future<HostAnswer> prompt(HostCommand.Prompt prompt) {
        Selection.Selected target = selection.selected();
        if (target == null) {
            throw notReady("No task is active; switch to one with switch_task");
        }
        String promptId = Objects.requireNonNullElseGet(prompt.promptId(), () -> "pr_" + UUID.randomUUID());
        return thread.here(
                        agents.prompt(target.taskId(), TaskTurnStarted.Kind.PROMPT, prompt.message(), promptId, actor))
                .map(seq -> HostAnswer.result(new JsonObject()
                                .put("accepted", true)
                                .put("taskId", target.name())
                                .put("promptId", promptId))
                        .after(target.taskId(), seq));
    }

    /** Stops a task; completes when it has ended. */
    Future<HostAnswer> stop(TaskLabel task) {
        String name = task.text();
        return existing(task).compose(found -> {
            if (found.state().phase() == Phase.ENDED) {
                return Future.succeededFuture(stopped(name, found.state()));
            }
            selection.leave(name);
            Future<?> asked = open.has(name)
                    ? thread.here(tasks.apply(new TaskCommand.Cancel(found.taskId(), "stop_task", actor))
                            .<Void>mapEmpty())
                    : Future.succeededFuture();
            return asked.compose(cancelled ->
                            awaitState(found.taskId(), state -> state.phase() == Phase.ENDED, HostLimits.STOP_MS))
                    .map(state -> stopped(name, state).after(found.taskId(), state.nextSeq() - 1));
        });
    }

    private static HostAnswer stopped(String name, TaskState state) {
        if (state.phase() != Phase.ENDED) {
            return HostAnswer.error(HostRefusal.notReady("The task " + name + " is still being stopped"));
        }
        return TaskWords.wasStopped(state)
                ? HostAnswer.result(new JsonObject().put("taskId", name).put("state", "stopped"))
                : HostAnswer.error(HostRefusal.dead("The program of the task " + name + " is dead: "
                        + Objects.requireNonNullElse(state.run().error(), "it ended")
                        + "; create_or_open_task recovers it"));
    }

    /** The active task and all others, in the order of their creation. */
    Future<JsonObject> state(@Nullable TaskCursor after) {
        return directory
                .list(after)
                .compose(listed -> open.states().map(states -> state(listed, after == null, states)));
    }

    /** @param first whether these are the newest tasks; open ones that are older are listed with them */
    private JsonObject state(HostDirectory.Listing listed, boolean first, Map<String, TaskState> states) {
        var rows = new JsonArray();
        if (first) {
            states.forEach((name, state) -> {
                if (!listed.byName().containsKey(name)) {
                    rows.add(row(name, word(name, state), folder(state)));
                }
            });
        }
        listed.byName().reversed().forEach((name, entry) -> {
            TaskState state = states.get(name);
            rows.add(row(name, state == null ? word(name, entry) : word(name, state), entry.folder()));
        });
        var result = new JsonObject().put("activeTaskId", active(states)).put("tasks", rows);
        return listed.next() == null ? result : result.put("next", listed.next().text());
    }

    private @Nullable String active(Map<String, TaskState> states) {
        Selection.Selected selected = selection.selected();
        TaskState state = selected == null ? null : states.get(selected.name());
        return selected == null || state == null || state.phase() == Phase.ENDED ? null : selected.name();
    }

    private static JsonObject row(String name, String state, String folder) {
        return new JsonObject()
                .put("taskId", name)
                .put("state", state)
                .put("sessionFile", "/" + OpenTask.sessionFile(name))
                .put("workDir", "/" + folder);
    }

    String word(String name, TaskState state) {
        if (state.phase() == Phase.ENDED || open.has(name)) {
            return TaskWords.of(state, selection.is(name));
        }
        return opening.contains(name) ? TaskWords.of(state, false) : TaskWords.LEFT;
    }

    private String word(String name, HostDirectory.Entry entry) {
        if (entry.phase() == Phase.ENDED) {
            return ContractStatus.taskd(Phase.ENDED, entry.outcome(), false);
        }
        return opening.contains(name) ? ContractStatus.taskd(Phase.STARTING, null, false) : TaskWords.LEFT;
    }

    Future<Found> existing(TaskLabel task) {
        return find(task).map(found -> {
            if (found == null) {
                throw new Failure(
                        FailureCode.TASK_NOT_FOUND, "There is no task " + task + "; create_or_open_task creates it");
            }
            return found;
        });
    }

    private Future<@Nullable Found> find(TaskLabel task) {
        String known = open.taskId(task.text());
        Future<@Nullable String> id = known == null ? directory.find(task) : Future.succeededFuture(known);
        return id.compose(taskId -> taskId == null
                ? Future.<@Nullable Found>succeededFuture()
                : thread.here(tasks.state(taskId))
                        .<@Nullable Found>map(
                                state -> state.spec() == null || state.cleared() ? null : new Found(taskId, state))
                        .recover(HostTasks::unlessRemoved));
    }

    private static Future<@Nullable Found> unlessRemoved(Throwable why) {
        boolean removed = why instanceof Failure failure
                && (failure.code() == FailureCode.TASK_NOT_FOUND || failure.code() == FailureCode.TASK_GONE);
        return removed ? Future.succeededFuture() : Future.failedFuture(why);
    }

    private static Failure notReady(String message) {
        return new Failure(FailureCode.TASK_NOT_READY, message);
    }
}
