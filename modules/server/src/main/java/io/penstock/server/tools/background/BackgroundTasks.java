package io.penstock.server.tools.background;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.RequestFields;
import io.penstock.server.tools.agents.SessionTask;
import io.penstock.server.tools.agents.SessionTasks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the background tasks of one session. An id is made from the task's id, so nothing has to be stored for it: the longer it is, the
 * fewer tasks it can mean.
 */
final class BackgroundTasks {

    /** The tool that their streams name. */
    static final String TOOL = "background_task";

    private static final Set<String> TOOLS = Set.of(TOOL);

    /** Tasks of a batch in one answer, the newest of more. */
    static final int MOST_OF_BATCH = 200;

    private static final String PREFIX = "bg_";
    private static final int SHORT_CHARS = 8;
    private static final int NAMED = 5;
    private static final Pattern REST = Pattern.compile("[0-9a-f][0-9a-f-]*");

    /** Longer than a spawn takes on a busy machine. */
    private static final long LOCK_MS = 10_000;

    private final String sessionId;
    private final SessionTasks here;

    BackgroundTasks(TaskApi tasks, String sessionId) {
        this.sessionId = sessionId;
        this.here = new SessionTasks(tasks, sessionId);
    }

    /** The usual form of a task's id. */
    static String id(String taskId) {
        return PREFIX + taskId.substring(0, Math.min(SHORT_CHARS, taskId.length()));
    }

    /** The task with this id, in its usual form, a longer one, or a shorter one that only one task has. */
    Future<SessionTask> find(String id) {
        if (!id.startsWith(PREFIX)) {
            return here.byId(id)
                    .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_FOUND
                            ? Future.failedFuture(notFound(id))
                            : Future.failedFuture(e))
                    .map(task -> {
                        if (!task.asked().toolName().equals(TOOL)) {
                            throw notFound(id);
                        }
                        return task;
                    });
        }
        String rest = id.substring(PREFIX.length());
        if (!REST.matcher(rest).matches()) {
            return Future.failedFuture(notFound(id));
        }
        return here.list(here.ofTools(TOOLS).withPrefix(rest), NAMED).map(found -> {
            if (found.isEmpty()) {
                throw notFound(id);
            }
            if (found.size() > 1) {
                throw RequestFields.wrong("Several tasks begin with " + id + ": "
                        + found.stream().map(task -> PREFIX + task.taskId()).collect(Collectors.joining(", "))
                        + "; give more of the id");
            }
            return found.getFirst();
        });
    }

    private static Failure notFound(String id) {
        return new Failure(
                FailureCode.TASK_NOT_FOUND,
                "Task not found: " + RequestFields.shown(id) + ". Use background_list to see available tasks.");
    }

    /** The newest tasks, of one batch or of all. */
    Future<List<SessionTask>> newest(@Nullable String batch, int limit) {
        return here.list(here.ofTools(TOOLS).inBatch(batch), limit);
    }

    /** All tasks that have not ended, of one batch or of all: as many as may be queued. */
    Future<List<SessionTask>> living(@Nullable String batch) {
        return here.list(here.livingOf(TOOLS).inBatch(batch), view -> true, task -> !task.isOver(), Integer.MAX_VALUE);
    }

    /** The newest tasks that have ended, of one batch or of all. */
    Future<List<SessionTask>> ended(@Nullable String batch, int limit) {
        return here.list(here.endedOf(TOOLS).inBatch(batch), view -> true, SessionTask::isOver, limit);
    }

    /** The tasks that a call names: one by {@code task_id}, or all of a batch by {@code batch_id}. */
    Future<List<SessionTask>> named(JsonObject given) {
        String id = given.getString("task_id");
        String batch = given.getString("batch_id");
        if (id == null == (batch == null)) {
            throw RequestFields.wrong(
                    "Give either task_id or batch_id, but here are " + (id == null ? "neither" : "both"));
        }
        if (id != null) {
            return find(id).map(List::of);
        }
        return newest(batch, MOST_OF_BATCH).map(found -> {
            if (found.isEmpty()) {
                throw noBatch(batch);
            }
            return found.reversed();
        });
    }

    static Failure noBatch(@Nullable String batch) {
        return new Failure(
                FailureCode.TASK_NOT_FOUND,
                "There is no batch " + batch + ". Use background_list to see available tasks.");
    }

    /**
     * Starts a task in the batch of the parent's running tasks, or in a new one if none runs. Spawns of one session follow each other, so
     * that tasks that a model starts at once are of one batch.
     *
     * @param spawn starts the task in a batch, and completes with its id
     */
    <T> Future<T> inBatch(Vertx vertx, @Nullable String parentTaskId, Function<String, Future<T>> spawn) {
        return vertx.sharedData()
                .getLocalLockWithTimeout("background-batch-" + sessionId, LOCK_MS)
                .recover(e -> Future.failedFuture(new Failure(
                        FailureCode.TASK_NOT_READY,
                        "Other tasks of the session " + sessionId + " are still being started; try again",
                        e)))
                .compose(lock -> batch(parentTaskId).compose(spawn).onComplete(done -> lock.release()));
    }

    private Future<String> batch(@Nullable String parentTaskId) {
        return here.list(
                        here.livingOf(TOOLS).below(parentTaskId),
                        view -> isOf(view, parentTaskId),
                        task -> !task.isOver(),
                        1)
                .map(running -> running.isEmpty()
                        ? newBatch()
                        : Objects.requireNonNull(running.getFirst().links().batch()));
    }

    private static String newBatch() {
        return "batch_" + UUID.randomUUID().toString().substring(0, SHORT_CHARS);
    }

    private static boolean isOf(TaskView view, @Nullable String parentTaskId) {
        return view.asked() instanceof ToolTaskSpawned spec
                && spec.links() != null
                && spec.links().batch() != null
                && Objects.equals(spec.links().parentTaskId(), parentTaskId);
    }
}
