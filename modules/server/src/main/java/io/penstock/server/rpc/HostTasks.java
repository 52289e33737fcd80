package io.penstock.server.rpc;

import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.AgentRequest;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.pump.TaskPage;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Phase;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of hosts, by the names that hosts give them: agent tasks whose programs stay, in a session of their own, with the name as the label.
 * Which task is selected is known to this server only, since its end ends them all. Lives on the edge's context.
 */
final class HostTasks {

    /** The session of all tasks of hosts. */
    static final String SESSION = "taskd";

    private static final String TOOL = "create_or_open_task";

    /** Of a run: it ends when a host stops it. */
    private static final Duration FOR_GOOD = Duration.ofDays(365);

    /** Hosts get events, so the end is no mailbox item. */
    private static final TaskLinks QUIET = new TaskLinks(null, 0, null, false, null);

    /** Is told what concerns all connections. */
    interface Listener {

        /** From this frame on, the task has events. */
        void opened(String name, String taskId, long fromSeq);

        void happened(String event, String name, JsonObject payload);
    }

    private record Found(String taskId, TaskState state) {}

    private record Selected(String name, String taskId) {}

    private final TaskApi tasks;
    private final AgentApi agents;
    private final Actor actor;
    private final OneThread thread;
    private final Listener listener;
    private final Map<String, OpenTask> open = new HashMap<>();
    private final Set<String> opening = new HashSet<>();
    private @Nullable Selected selected;
    private long switches;
    private long selectedBySwitch;

    HostTasks(TaskApi tasks, AgentApi agents, Actor actor, OneThread thread, Listener listener) {
        this.tasks = tasks;
        this.agents = agents;
        this.actor = actor;
        this.thread = thread;
        this.listener = listener;
    }

    static String sessionFile(String name) {
        return "sessions/" + name + "/session.json";
    }

    /** Takes over the tasks whose programs were not started yet when an earlier server ended: they are about to run. */
    Future<?> adopt() {
        return all().compose(views -> Future.join(views.entrySet().stream()
                .filter(entry -> waits(entry.getValue().phase()))
                .map(entry -> thread.here(tasks.state(entry.getValue().taskId()))
                        .onSuccess(state -> {
                            if (state.phase() != Phase.ENDED) {
                                opened(entry.getKey(), entry.getValue().taskId(), state);
                            }
                        }))
                .toList()));
    }

    private static boolean waits(Phase phase) {
        return phase == Phase.QUEUED || phase == Phase.STARTING;
    }

    /** The tasks that this server has opened, by their names. */
    Map<String, OpenTask> open() {
        return open;
    }

    /** The task that prompts go to. */
    @Nullable
    String selectedTaskId() {
        return selected == null ? null : selected.taskId();
    }

    Future<Answer> createOrOpen(RequestFields payload) {
        String name = name(payload);
        if (!opening.add(name)) {
            throw notReady("The task " + name + " is being opened by another request");
        }
        return Future.succeededFuture()
                .compose(here -> find(name))
                .compose(found -> found == null ? create(name, payload) : reopen(name, found, payload))
                .onComplete(done -> opening.remove(name));
    }

    private Future<Answer> create(String name, RequestFields payload) {
        String folder = Objects.requireNonNullElse(payload.textOrNull("workingFolder"), "/sessions/" + name + "/work");
        String model = model(payload);
        String thinking = payload.textOrNull("thinkingLevel");
        return thread.here(agents.createFolder(folder))
                .compose(cwd -> thread.here(agents.spawn(new AgentRequest(
                        TOOL,
                        SESSION,
                        null,
                        null,
                        null,
                        model,
                        thinking,
                        AgentSpec.AfterTurn.STAY,
                        new TaskLabel(name),
                        name,
                        cwd,
                        QUIET,
                        FOR_GOOD,
                        actor))))
                .compose(taskId -> ready(name, taskId, TaskState.ABSENT, 1, "created"));
    }

    private static @Nullable String model(RequestFields payload) {
        String provider = payload.textOrNull("provider");
        String model = payload.textOrNull("model");
        if (provider != null && model == null) {
            throw RequestFields.wrong("payload.provider needs payload.model, the model of that provider");
        }
        return provider == null ? model : provider + "/" + model;
    }

    private Future<Answer> reopen(String name, Found found, RequestFields payload) {
        if (isOpen(name) && found.state().phase() != Phase.ENDED) {
            throw notReady("The task " + name + " is open already");
        }
        String model = model(payload);
        String thinking = payload.textOrNull("thinkingLevel");
        String folder = payload.textOrNull("workingFolder");
        return thread.here(tasks.awaitState(found.taskId(), state -> state.phase() == Phase.ENDED, RpcLimits.LOST_MS)
                        .state())
                .compose(state -> {
                    String cwd = Objects.requireNonNullElse(
                            Objects.requireNonNull(state.spec()).cwd(), "");
                    return thread.here(agents.createFolder(folder == null ? cwd : folder))
                            .compose(wanted -> {
                                if (!wanted.equals(cwd)) {
                                    throw RequestFields.wrong(
                                            "payload.workingFolder is \"" + RequestFields.shown(wanted)
                                                    + "\", but the task " + name + " works in \"/" + cwd
                                                    + "\": a task keeps its folder");
                                }
                                String mode = word(state, false).equals("stopped") ? "resumed" : "recovered";
                                return thread.here(agents.reopen(found.taskId(), model, thinking, FOR_GOOD, actor))
                                        .compose(run -> ready(name, found.taskId(), state, run, mode));
                            });
                });
    }

    private boolean isOpen(String name) {
        OpenTask task = open.get(name);
        return task != null && !task.hasEnded();
    }

    /** @param before the state before the run's first frame */
    private void opened(String name, String taskId, TaskState before) {
        OpenTask earlier =
                open.put(name, new OpenTask(agents, name, taskId, before, tasks.follow(taskId, before.nextSeq())));
        if (earlier != null) {
            earlier.close();
        }
        if (selected != null && selected.name().equals(name)) {
            selected = null;
        }
        listener.opened(name, taskId, before.nextSeq());
    }

    /** Waits until the program of a run waits for its first turn. */
    private Future<Answer> ready(String name, String taskId, TaskState before, int run, String mode) {
        opened(name, taskId, before);
        return thread.here(tasks.awaitState(
                                taskId,
                                state -> state.run().number() >= run && state.phase() != Phase.QUEUED,
                                RpcLimits.PLACE_MS)
                        .state())
                .compose(state -> state.phase() == Phase.QUEUED
                        ? withoutPlace(name, taskId)
                        : thread.here(tasks.awaitState(
                                                taskId,
                                                now -> isReady(now) || now.phase() == Phase.ENDED,
                                                RpcLimits.OPEN_MS)
                                        .state())
                                .map(now -> opened(name, taskId, now, mode)));
    }

    private Future<Answer> withoutPlace(String name, String taskId) {
        return thread.here(tasks.apply(new TaskCommand.Cancel(taskId, "no place among the running agents", actor)))
                .map(cancelled -> Answer.error(RpcRefusal.notReady(
                        "As many agents run as may run at once; stop one, then open " + name + " again")));
    }

    private static Answer opened(String name, String taskId, TaskState state, String mode) {
        long last = state.nextSeq() - 1;
        if (isReady(state)) {
            return Answer.result(new JsonObject()
                            .put("taskId", name)
                            .put("state", "ready")
                            .put("mode", mode))
                    .after(taskId, last);
        }
        RpcRefusal why = state.phase() != Phase.ENDED
                ? RpcRefusal.notReady("The task " + name + " is still being started; get_state says when it is ready")
                : word(state, false).equals("stopped")
                        ? RpcRefusal.notReady("The task " + name + " was stopped while it was being opened")
                        : RpcRefusal.dead("The task " + name + " was not opened: "
                                + Objects.requireNonNullElse(state.run().error(), "its program ended"));
        return Answer.error(why).after(taskId, last);
    }

    /** Gives the selected task a prompt. */
    Future<Answer> prompt(RequestFields payload) {
        String message = payload.text("message", RpcLimits.LINE_BYTES);
        if (message.isBlank()) {
            throw RequestFields.wrong("payload.message is empty; give what the agent is to do");
        }
        String given = payload.textOrNull("promptId");
        String promptId = given == null ? "pr_" + UUID.randomUUID() : given;
        Selected target = selected;
        if (target == null) {
            throw notReady("No task is active; switch to one with switch_task");
        }
        return thread.here(agents.prompt(target.taskId(), TaskTurnStarted.Kind.PROMPT, message, promptId, actor))
                .map(seq -> Answer.result(new JsonObject()
                                .put("accepted", true)
                                .put("taskId", target.name())
                                .put("promptId", promptId))
                        .after(target.taskId(), seq));
    }

    /** Stops a task; completes when it has ended. */
    Future<Answer> stop(RequestFields payload) {
        String name = name(payload);
        return existing(name).compose(found -> {
            boolean ours = isOpen(name);
            if (ours
                    && found.state().phase() != Phase.ENDED
                    && selected != null
                    && selected.name().equals(name)) {
                selected = null;
            }
            Future<?> asked = ours
                    ? thread.here(tasks.apply(new TaskCommand.Cancel(found.taskId(), "stop_task", actor))
                            .<Void>mapEmpty())
                    : Future.succeededFuture();
            boolean over = found.state().phase() == Phase.ENDED;
            return asked.compose(cancelled -> thread.here(
                            tasks.awaitState(found.taskId(), state -> state.phase() == Phase.ENDED, RpcLimits.STOP_MS)
                                    .state()))
                    .map(state -> over
                            ? stopped(name, state)
                            : stopped(name, state).after(found.taskId(), state.nextSeq() - 1));
        });
    }

    private static Answer stopped(String name, TaskState state) {
        if (state.phase() != Phase.ENDED) {
            return Answer.error(RpcRefusal.notReady("The task " + name + " is still being stopped"));
        }
        return word(state, false).equals("stopped")
                ? Answer.result(new JsonObject().put("taskId", name).put("state", "stopped"))
                : Answer.error(RpcRefusal.dead("The program of the task " + name + " is dead: "
                        + Objects.requireNonNullElse(state.run().error(), "it ended")
                        + "; create_or_open_task recovers it"));
    }

    /** The active task and all others, in the order of their creation. */
    Future<JsonObject> state() {
        return all().compose(views -> {
            List<Future<JsonObject>> rows = new ArrayList<>();
            views.forEach((name, view) -> rows.add(
                    view.phase() == Phase.ENDED
                            ? Future.succeededFuture(row(name, view, ended(view)))
                            : thread.here(tasks.state(view.taskId()))
                                    .map(state -> row(name, view, word(name, state)))));
            return Future.all(rows).map(all -> {
                var listed = new JsonArray();
                all.<JsonObject>list().reversed().forEach(listed::add);
                return new JsonObject().put("activeTaskId", active(listed)).put("tasks", listed);
            });
        });
    }

    private @Nullable String active(JsonArray rows) {
        String name = selected == null ? "" : selected.name();
        boolean lives = rows.stream()
                .map(JsonObject.class::cast)
                .anyMatch(row -> name.equals(row.getString("taskId")) && "active".equals(row.getString("state")));
        return lives ? name : null;
    }

    private static JsonObject row(String name, TaskView view, String state) {
        SpawnSpec spec = view.asked();
        String cwd = spec == null || spec.cwd() == null ? "" : spec.cwd();
        return new JsonObject()
                .put("taskId", name)
                .put("state", state)
                .put("sessionFile", "/" + sessionFile(name))
                .put("workDir", "/" + cwd);
    }

    private static String ended(TaskView view) {
        return ContractStatus.taskd(
                Phase.ENDED, Objects.requireNonNull(view.ending()).outcome(), false);
    }

    /** A task that lives, but was not opened by this server, was left by a dead one: its end is about to be recorded. */
    private String word(String name, TaskState state) {
        return state.phase() == Phase.ENDED || isOpen(name) || opening.contains(name)
                ? word(state, selected != null && selected.name().equals(name))
                : "errored";
    }

    private static String word(TaskState state, boolean selected) {
        boolean starts = state.phase().isLive() && state.phase() != Phase.STOPPING && !isReady(state);
        return ContractStatus.taskd(starts ? Phase.STARTING : state.phase(), state.outcome(), selected);
    }

    /** Whether the conversation is open. */
    private static boolean isReady(TaskState state) {
        return switch (state.phase()) {
            case IDLE -> true;
            case RUNNING, AWAITING_INPUT -> state.runningTurn() != null;
            case ABSENT, QUEUED, STARTING, STOPPING, ENDED -> false;
        };
    }

    /** The tasks by their names, the newest first. */
    private Future<Map<String, TaskView>> all() {
        return page(new LinkedHashMap<>(), null);
    }

    private Future<Map<String, TaskView>> page(Map<String, TaskView> found, @Nullable TaskCursor after) {
        return thread.here(tasks.list(new TaskQuery(SESSION, null, null, null, TaskQuery.USUAL_LIMIT, after)))
                .compose(page -> {
                    if (page.livingOnly()) {
                        throw away();
                    }
                    for (TaskView view : page.tasks()) {
                        String name = nameOf(view);
                        if (name != null && found.size() < RpcLimits.LISTED_TASKS) {
                            found.putIfAbsent(name, view);
                        }
                    }
                    return page.next() == null || found.size() >= RpcLimits.LISTED_TASKS
                            ? Future.succeededFuture(found)
                            : page(found, page.next());
                });
    }

    /** The host's name of a task; null if it is not a host's, or was refused by policy before it began. */
    private static @Nullable String nameOf(TaskView view) {
        SpawnSpec spec = view.asked();
        TaskLabel label = spec == null || !spec.toolName().equals(TOOL) ? null : spec.label();
        return label == null || !(spec instanceof ToolTaskSpawned) ? null : label.text();
    }

    private Future<Found> existing(String name) {
        return find(name).map(found -> {
            if (found == null) {
                throw new Failure(
                        FailureCode.TASK_NOT_FOUND, "There is no task " + name + "; create_or_open_task creates it");
            }
            return found;
        });
    }

    private Future<@Nullable Found> find(String name) {
        OpenTask known = open.get(name);
        Future<@Nullable String> id =
                known == null ? lookUp(new TaskLabel(name)) : Future.succeededFuture(known.taskId());
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

    private Future<@Nullable String> lookUp(TaskLabel name) {
        return thread.here(tasks.list(new TaskQuery(SESSION, name, null, null, TaskQuery.USUAL_LIMIT, null)))
                .map(HostTasks::newest);
    }

    private static @Nullable String newest(TaskPage page) {
        String taskId = page.tasks().stream()
                .filter(view -> nameOf(view) != null)
                .map(TaskView::taskId)
                .findFirst()
                .orElse(null);
        if (taskId == null && page.livingOnly()) {
            throw away();
        }
        return taskId;
    }

    /** Only the living tasks are known: the others are neither there nor missing. */
    private static Failure away() {
        return new Failure(
                FailureCode.DATABASE_UNAVAILABLE, "The database is away, and it has the ended tasks; try again");
    }

    private static String name(RequestFields payload) {
        try {
            return new TaskLabel(payload.text("taskId", RpcLimits.LINE_BYTES)).text();
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("payload.taskId cannot be used. " + e.getMessage());
        }
    }

    private static Failure notReady(String message) {
        return new Failure(FailureCode.TASK_NOT_READY, message);
    }

    SwitchAttempt switchTo(RequestFields payload) {
        return new SwitchAttempt(name(payload));
    }

    /** A switch: checked before its answer, and carried out after it. */
    final class SwitchAttempt {

        private final String name;
        private @Nullable String taskId;

        private SwitchAttempt(String name) {
            this.name = name;
        }

        Future<Answer> check() {
            return existing(name).map(found -> {
                Phase phase = found.state().phase();
                if (!isOpen(name) || phase == Phase.STOPPING || phase == Phase.ENDED) {
                    throw notReady(
                            "The task " + name + " is " + word(name, found.state()) + "; create_or_open_task opens it");
                }
                taskId = found.taskId();
                return Answer.result(new JsonObject().put("status", "switching").put("taskId", name));
            });
        }

        /** Does nothing if the check has failed, or was made for an earlier request. Completes after the last event. */
        Future<?> carryOut() {
            String target = taskId;
            if (target == null) {
                return Future.succeededFuture();
            }
            taskId = null;
            long number = ++switches;
            listener.happened("task_switch_started", name, new JsonObject());
            return thread.here(tasks.awaitState(
                                    target,
                                    state -> isReady(state)
                                            || state.phase() == Phase.STOPPING
                                            || state.phase() == Phase.ENDED,
                                    RpcLimits.SWITCH_MS)
                            .state())
                    .map(state -> outcome(number, target, state))
                    .otherwise(RpcRefusal::of)
                    .onSuccess(refusal -> listener.happened(
                            refusal == null ? "task_ready" : "task_error",
                            name,
                            refusal == null ? new JsonObject() : refusal.json()));
        }

        private @Nullable RpcRefusal outcome(long number, String target, TaskState state) {
            if (state.phase() == Phase.STOPPING || state.phase() == Phase.ENDED) {
                return RpcRefusal.notReady("The task " + name + " ended while it was being switched to");
            }
            if (!isReady(state)) {
                return new RpcRefusal(
                        RpcCode.SWITCH_TIMEOUT,
                        "The task " + name + " was not ready within " + RpcLimits.SWITCH_MS + " ms",
                        true,
                        true);
            }
            if (number < selectedBySwitch) {
                return RpcRefusal.notReady("A later request has switched to another task than " + name);
            }
            selectedBySwitch = number;
            selected = new Selected(name, target);
            return null;
        }
    }
}
