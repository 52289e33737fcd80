package io.penstock.server.tools.agents;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.StatusFilter;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskState;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds tasks of one session. A session sees its own tasks only, and none that was cleared. */
public final class SessionTasks {

    private static final StatusFilter LIVE = StatusFilter.where((phase, outcome) -> outcome == null);
    private static final StatusFilter ENDED = StatusFilter.where((phase, outcome) -> outcome != null);

    private final TaskApi tasks;
    private final String sessionId;

    public SessionTasks(TaskApi tasks, String sessionId) {
        this.tasks = tasks;
        this.sessionId = sessionId;
    }

    /** The task with this id or this label, one of which is given. */
    Future<SessionTask> find(@Nullable String taskId, @Nullable String label) {
        if (taskId == null == (label == null)) {
            throw RequestFields.wrong(
                    "Name the task by either task_id or label, but here are " + (taskId == null ? "neither" : "both"));
        }
        return label == null ? byId(Objects.requireNonNull(taskId)) : byLabel(label);
    }

    public Future<SessionTask> byId(String taskId) {
        return tasks.state(taskId)
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_FOUND
                        ? Future.failedFuture(notFound(taskId))
                        : Future.failedFuture(e))
                .map(state -> {
                    if (!isSeen(state)) {
                        throw notFound(taskId);
                    }
                    return new SessionTask(taskId, state);
                });
    }

    private Failure notFound(String taskId) {
        return new Failure(
                FailureCode.TASK_NOT_FOUND,
                "There is no task " + RequestFields.shown(taskId) + " in the session " + sessionId
                        + "; task_list shows its tasks");
    }

    private boolean isSeen(TaskState state) {
        SpawnSpec asked = state.asked();
        return asked != null && sessionId.equals(asked.originSessionId()) && !state.cleared();
    }

    /** The live task with the label, else the newest. */
    private Future<SessionTask> byLabel(String label) {
        TaskLabel name = label(label);
        return tasks.list(query(name, LIVE)).compose(page -> {
            if (page.tasks().size() > 1) {
                throw RequestFields.wrong("Several tasks with the label " + name + " are live: "
                        + page.tasks().stream().map(TaskView::taskId).collect(Collectors.joining(", "))
                        + "; name one by its task_id");
            }
            return page.tasks().isEmpty()
                    ? newest(name)
                    : byId(page.tasks().getFirst().taskId());
        });
    }

    private Future<SessionTask> newest(TaskLabel label) {
        return list(query(label, null), 1).map(found -> {
            if (found.isEmpty()) {
                throw new Failure(
                        FailureCode.TASK_NOT_FOUND,
                        "There is no task with the label " + label + " in the session " + sessionId
                                + "; task_list shows its tasks");
            }
            return found.getFirst();
        });
    }

    static TaskLabel label(String text) {
        try {
            return new TaskLabel(text);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("label cannot be used. " + e.getMessage());
        }
    }

    /** Selects the tasks of the session that these tools started. */
    public TaskQuery ofTools(Set<String> tools) {
        return query(null, null).ofTools(tools);
    }

    /** The same of those that have not ended. */
    public TaskQuery livingOf(Set<String> tools) {
        return query(null, LIVE).ofTools(tools);
    }

    /** The same of those that have ended. */
    public TaskQuery endedOf(Set<String> tools) {
        return query(null, ENDED).ofTools(tools);
    }

    private TaskQuery query(@Nullable TaskLabel label, @Nullable StatusFilter standing) {
        return new TaskQuery(sessionId, label, standing, null, Limits.PAGE_TASKS, null);
    }

    /** The selected tasks, the newest first. */
    public Future<List<SessionTask>> list(TaskQuery query, int limit) {
        return list(query, view -> true, task -> true, limit);
    }

    /**
     * The same of those that match, too.
     *
     * @param wanted by the request, which is at hand
     * @param matches by the state, which is read for each that is wanted
     */
    public Future<List<SessionTask>> list(
            TaskQuery query, Predicate<TaskView> wanted, Predicate<SessionTask> matches, int limit) {
        var search = new Search(query, wanted, matches, limit);
        return AsyncLoop.of(search::step).map(done -> {
            if (search.livingOnly && search.found.isEmpty()) {
                throw new Failure(
                        FailureCode.DATABASE_UNAVAILABLE,
                        "The database is away, so tasks that have ended cannot be found now; try again");
            }
            return search.found;
        });
    }

    /** Reads pages of the list, and of each page as many states as are still missing. */
    private final class Search {
        private final Predicate<TaskView> wanted;
        private final Predicate<SessionTask> matches;
        private final int limit;
        private final List<SessionTask> found = new ArrayList<>();
        private final ArrayDeque<String> candidates = new ArrayDeque<>();
        private @Nullable TaskQuery next;
        private boolean livingOnly;

        Search(TaskQuery query, Predicate<TaskView> wanted, Predicate<SessionTask> matches, int limit) {
            this.next = query;
            this.wanted = wanted;
            this.matches = matches;
            this.limit = limit;
        }

        /** Completes with whether another step is needed. */
        Future<Boolean> step() {
            TaskQuery query = next;
            if (found.size() >= limit || (candidates.isEmpty() && query == null)) {
                return Future.succeededFuture(false);
            }
            return candidates.isEmpty() ? page(Objects.requireNonNull(query)) : states();
        }

        private Future<Boolean> page(TaskQuery query) {
            return tasks.list(query).map(page -> {
                page.tasks().stream()
                        .filter(view -> view.asked() != null && wanted.test(view))
                        .map(TaskView::taskId)
                        .forEach(candidates::add);
                TaskCursor after = page.next();
                next = after == null ? null : query.from(after);
                livingOnly |= page.livingOnly();
                return true;
            });
        }

        private Future<Boolean> states() {
            var some = new ArrayList<Future<@Nullable SessionTask>>();
            while (some.size() < limit - found.size() && !candidates.isEmpty()) {
                some.add(candidate(candidates.remove()));
            }
            return Future.all(some).map(all -> {
                for (SessionTask task : all.<@Nullable SessionTask>list()) {
                    if (task != null && isSeen(task.state()) && matches.test(task)) {
                        found.add(task);
                    }
                }
                return true;
            });
        }

        /** Null if it was removed meanwhile. */
        private Future<@Nullable SessionTask> candidate(String taskId) {
            return tasks.state(taskId)
                    .<@Nullable SessionTask>map(state -> new SessionTask(taskId, state))
                    .recover(e -> e instanceof Failure failure
                                    && (failure.code() == FailureCode.TASK_GONE
                                            || failure.code() == FailureCode.TASK_NOT_FOUND)
                            ? Future.succeededFuture()
                            : Future.failedFuture(e));
        }
    }
}
