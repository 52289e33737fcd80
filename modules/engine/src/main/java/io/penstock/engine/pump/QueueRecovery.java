package io.penstock.engine.pump;

import io.penstock.engine.session.LaneKey;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.engine.task.TaskBudget;
import io.penstock.engine.task.TaskRecord;
import io.penstock.engine.task.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.Limits;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskCancelled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up the tasks that waited for their turn when the server before this one ended, however it did, in the order in which they came.
 * Policy is not asked again: what it said when they came stands.
 */
final class QueueRecovery {

    private static final Logger log = LoggerFactory.getLogger(QueueRecovery.class);

    /** So many are read from the log at once: a batch for the database, and little memory. */
    private static final int AT_ONCE = 128;

    /** What a file says; the rest of it is read when the task's turn has come. */
    private sealed interface Found {
        String taskId();
    }

    private record Readable(
            String taskId, long arrival, @Nullable String session, TaskBudget budget) implements Found {}

    private record Unreadable(String taskId, String why) implements Found {}

    private interface Step {
        Future<Void> run();
    }

    private final Vertx vertx;
    private final ShardServices parts;
    private final LostTaskRecovery left;
    private final Shards shards;

    /** @param left ends those of which it turns out that they do not wait */
    QueueRecovery(Vertx vertx, ShardServices parts, LostTaskRecovery left, Shards shards) {
        this.vertx = vertx;
        this.parts = parts;
        this.left = left;
        this.shards = shards;
    }

    /** Completes when each of them waits again or is told to have ended. None is started before the lanes are opened. */
    Future<Void> takeUp() {
        parts.lanes().close();
        return vertx.executeBlocking(
                        () -> parts.queue().waiting().stream().map(this::found).toList())
                .map(Objects::requireNonNull)
                .compose(all -> {
                    var steps = new ArrayList<Step>();
                    all.stream()
                            .filter(Readable.class::isInstance)
                            .map(Readable.class::cast)
                            .sorted(Comparator.comparingLong(Readable::arrival).thenComparing(Readable::taskId))
                            .forEach(task -> {
                                LaneSlot place = parts.lanes().restore(LaneKey.of(task.session()), task.arrival());
                                steps.add(() -> resume(task.taskId(), state -> takeUp(task, place, state))
                                        .onSuccess(waits -> {
                                            if (!waits) {
                                                parts.lanes().release(place);
                                            }
                                        })
                                        .mapEmpty());
                            });
                    int waited = steps.size();
                    for (Found one : all) {
                        if (one instanceof Unreadable task) {
                            log.error("Task {} waited for its turn and is ended: {}", task.taskId(), task.why());
                            steps.add(() -> resume(
                                            task.taskId(), state -> neverStarted(task.taskId(), state, task.why()))
                                    .mapEmpty());
                        }
                    }
                    if (waited > 0) {
                        log.info("{} tasks waited for their turn when the server ended; they wait again", waited);
                    }
                    // Nobody is let in before all are there: none overtakes another, and none keeps the start waiting.
                    return inOrder(steps, 0);
                });
    }

    private Found found(String taskId) {
        try {
            QueuedSpawn spawn = parts.queue().read(taskId);
            return new Readable(taskId, spawn.arrival(), spawn.request().originSessionId(), spawn.budget());
        } catch (IOException e) {
            return new Unreadable(taskId, String.valueOf(e.getMessage()));
        }
    }

    private Future<Void> inOrder(List<Step> steps, int from) {
        if (from >= steps.size()) {
            return Future.succeededFuture();
        }
        int to = Math.min(steps.size(), from + AT_ONCE);
        return Future.join(steps.subList(from, to).stream().map(Step::run).toList())
                .compose(done -> inOrder(steps, to));
    }

    /** What is done with a task that waits, as its frames say; completes with whether it goes on waiting. */
    private interface QueuedAction {
        Future<Boolean> on(TaskState state);
    }

    private Future<Boolean> resume(String taskId, QueuedAction waiting) {
        return Future.succeededFuture(taskId)
                .map(StreamId::task)
                .compose(this::state)
                .compose(state -> resume(taskId, state, waiting))
                .otherwise(e -> {
                    // One that cannot be told must not keep all others from running; its file stays for the next start.
                    log.error("Task {} waited for its turn and cannot be taken up", taskId, e);
                    return false;
                });
    }

    private Future<Boolean> resume(String taskId, TaskState state, QueuedAction waiting) {
        return switch (state.phase()) {
            // Nothing of it was accepted, or it is told already: only its file was left.
            case ABSENT, ENDED -> forget(taskId);
            case QUEUED, STARTING -> waiting.on(state);
            case STOPPING -> neverStarted(taskId, state, "");
            // It waited for something else.
            case AWAITING_INPUT, RUNNING, IDLE -> lost(taskId);
        };
    }

    /** One that waits has a few frames, read in one go; whether there are more, its writer knows. */
    private Future<TaskState> state(StreamId stream) {
        return parts.log()
                .read(stream, 0, Limits.PAGE_FRAMES)
                .map(page -> TaskState.fold(page.frames()))
                .compose(state -> switch (state.phase()) {
                    case QUEUED, STARTING -> Future.succeededFuture(state);
                    case ABSENT, AWAITING_INPUT, RUNNING, IDLE, STOPPING, ENDED -> left.state(stream);
                })
                .recover(e -> left.state(stream));
    }

    private Future<Boolean> takeUp(Readable task, LaneSlot place, TaskState state) {
        String taskId = task.taskId();
        return left.open(StreamId.task(taskId))
                .compose(writer -> {
                    if (writer.nextSeq() > state.nextSeq()) {
                        writer.close();
                        return left.state(writer.stream())
                                .compose(all -> resume(taskId, all, whole -> takeUp(task, place, whole)));
                    }
                    return shards.request(taskId, new ShardRequest.TakeUp(taskId, writer, state, task.budget(), place))
                            .map(waiting -> true);
                })
                .recover(e -> {
                    log.error("Task {} waited for its turn and is ended, for it cannot be taken up", taskId, e);
                    return neverStarted(taskId, state, "it could not be taken up again: " + e.getMessage());
                });
    }

    /** Tells that it has ended: by the stop that was asked for, else for this reason. */
    private Future<Boolean> neverStarted(String taskId, TaskState state, String why) {
        return left.open(StreamId.task(taskId))
                .compose(writer -> {
                    var record = new TaskRecord(writer, parts.clockMs(), state);
                    ToolTaskCancelRequested stop = state.run().stop();
                    if (stop != null && !state.run().stopped()) {
                        record.write(new ToolTaskCancelled(stop.reason(), 0));
                    }
                    return left.sealLogs(record, state)
                            .compose(logs -> record.write(new ToolTaskStatus(
                                    Phase.ENDED,
                                    stop == null ? Ending.failed() : new Ending(Outcome.CANCELLED, null, null),
                                    null,
                                    record.now(),
                                    logs,
                                    stop == null ? TaskSentences.fitting("It was never started, for " + why) : null,
                                    null,
                                    stop == null ? Cause.RECOVERY : stop.cause(),
                                    Actor.SERVER)))
                            .onComplete(told -> record.close());
                })
                .compose(told -> forget(taskId));
    }

    private Future<Boolean> lost(String taskId) {
        return vertx.executeBlocking(() -> {
                    parts.queue().claim(taskId);
                    return List.of(new OrphanSession(taskId, null));
                })
                .map(Objects::requireNonNull)
                .compose(left::endAll)
                .map(false);
    }

    private Future<Boolean> forget(String taskId) {
        return vertx.executeBlocking(() -> {
                    parts.queue().forget(taskId);
                    parts.live().remove(taskId);
                    return false;
                })
                .map(Objects::requireNonNull);
    }
}
