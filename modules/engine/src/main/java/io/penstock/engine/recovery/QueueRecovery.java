package io.penstock.engine.recovery;

import io.penstock.engine.launch.QueuedSpawn;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskFolders;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.session.LaneKey;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.engine.task.QueuedTask;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskCancelled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumes the tasks that were queued when the server before this one ended, in their order of arrival. Policy is not asked again.
 * All of it blocks.
 */
public final class QueueRecovery {

    private static final Logger log = LoggerFactory.getLogger(QueueRecovery.class);

    /** Tasks that are read from the log at the same time: a batch for the database, and little memory. */
    private static final int AT_ONCE = 128;

    /** The spawn, the verdict, and the place in the queue: with so few frames, a task has no watchers. */
    private static final int UNWATCHED_FRAMES = 3;

    /** A task's file, without what only its launch needs: the files of a long queue are larger than the heap should be. */
    private record Queued(String taskId, long arrival, LaneKey lane, TaskBudget budget) {}

    private record Restored(Queued task, LaneSlot slot) {}

    private record Unreadable(String taskId, String why) {}

    private final RecoveryLog frames;
    private final TaskServices services;
    private final TaskFolders folders;
    private final LostTaskRecovery lostTasks;
    private final TaskResumer shards;

    public QueueRecovery(
            Vertx vertx, TaskServices services, TaskFolders folders, LostTaskRecovery lostTasks, TaskResumer shards) {
        this.frames = new RecoveryLog(vertx, services.log());
        this.services = services;
        this.folders = folders;
        this.lostTasks = lostTasks;
        this.shards = shards;
    }

    /** Returns when each task is queued again or its end is recorded. None is started before the lanes are opened. */
    public void resumeAll() {
        services.lanes().close();
        var queued = new ArrayList<Queued>();
        var unreadable = new ArrayList<Unreadable>();
        for (String taskId : folders.queue().taskIds()) {
            try {
                QueuedSpawn spawn = folders.queue().read(taskId);
                queued.add(new Queued(taskId, spawn.arrival(), spawn.request().lane(), spawn.budget()));
            } catch (IOException e) {
                unreadable.add(new Unreadable(taskId, String.valueOf(e.getMessage())));
            }
        }
        if (!queued.isEmpty()) {
            log.info("{} tasks were queued when the last server ended; they are queued again", queued.size());
        }
        queued.sort(Comparator.comparingLong(Queued::arrival).thenComparing(Queued::taskId));
        // Slots are restored in order, before any task is resumed: none overtakes another.
        List<Restored> restored = queued.stream()
                .map(task -> new Restored(task, services.lanes().restore(task.lane(), task.arrival())))
                .toList();
        BlockingSteps.forEach(restored, AT_ONCE, this::resumeOrRelease);
        BlockingSteps.forEach(unreadable, AT_ONCE, this::end);
    }

    private void resumeOrRelease(Restored restored) {
        String taskId = restored.task().taskId();
        boolean resumed = false;
        try {
            TaskState state = state(taskId);
            resumed = isQueued(taskId, state) && resume(restored, state);
        } catch (Throwable e) {
            // The others must still run. The file of this one stays for the next start.
            log.error("Task {} was queued and cannot be resumed", taskId, e);
        }
        if (!resumed) {
            services.lanes().release(restored.slot());
        }
    }

    /** Returns whether the task is queued again; otherwise its end is recorded. */
    private boolean resume(Restored restored, TaskState state) throws IOException {
        String taskId = restored.task().taskId();
        try {
            StreamWriter writer = frames.open(StreamId.task(taskId));
            if (writer.nextSeq() > state.nextSeq()) {
                // The state was folded from the first page only, and there is another.
                writer.close();
                TaskState whole = frames.state(writer.stream());
                return isQueued(taskId, whole) && resume(restored, whole);
            }
            List<TaskWatcherAdded> watchers =
                    state.nextSeq() <= UNWATCHED_FRAMES ? List.of() : frames.watchers(writer.stream());
            var task = new QueuedTask(taskId, writer, state, restored.task().budget(), restored.slot(), watchers);
            shards.resume(task).await();
            return true;
        } catch (Throwable e) {
            log.error("Task {} was queued and is ended, because it cannot be resumed", taskId, e);
            end(taskId, state, "it could not be resumed: " + e.getMessage());
            return false;
        }
    }

    private void end(Unreadable task) {
        String taskId = task.taskId();
        log.error("Task {} was queued and is ended: {}", taskId, task.why());
        try {
            TaskState state = state(taskId);
            if (isQueued(taskId, state)) {
                end(taskId, state, task.why());
            }
        } catch (Throwable e) {
            log.error("Task {} was queued and cannot be ended", taskId, e);
        }
    }

    /** A queued task has few frames, which are read in one go; {@link #resume} notices if there are more. */
    private TaskState state(String taskId) {
        StreamId stream = StreamId.task(taskId);
        TaskState first = frames.firstState(stream);
        return switch (first.phase()) {
            case QUEUED, STARTING, ABSENT -> first;
            case AWAITING_INPUT, RUNNING, IDLE, STOPPING, ENDED -> frames.state(stream);
        };
    }

    /** Returns whether the task's frames say that it is queued. Otherwise the task is dealt with here. */
    private boolean isQueued(String taskId, TaskState state) throws IOException {
        return switch (state.phase()) {
            case QUEUED, STARTING -> true;
            // No frame was accepted, or its end is recorded: only its file is left.
            case ABSENT, ENDED -> {
                lostTasks.recordInSession(taskId, state);
                forget(taskId);
                yield false;
            }
            case STOPPING -> {
                end(taskId, state, "");
                yield false;
            }
            // It was not waiting for its turn.
            case AWAITING_INPUT, RUNNING, IDLE -> {
                folders.queue().claim(taskId);
                lostTasks.endAll(List.of(new OrphanSession(taskId, null)));
                yield false;
            }
        };
    }

    /** Records the end of a task that was not started: as cancelled if its stop was requested, else as failed. */
    private void end(String taskId, TaskState state, String why) throws IOException {
        var record = new TaskRecord(frames.open(StreamId.task(taskId)), services.clockMs(), state);
        try {
            ToolTaskCancelRequested stop = state.run().stop();
            if (stop != null && !state.run().stopped()) {
                record.write(new ToolTaskCancelled(stop.reason(), 0)).await();
            }
            List<LogEnd> logs = lostTasks.sealLogs(record, state);
            record.write(new ToolTaskStatus(
                            Phase.ENDED,
                            stop == null ? Ending.failed() : new Ending(Outcome.CANCELLED, null, null),
                            null,
                            record.now(),
                            logs,
                            stop == null ? TaskSentences.fitting("It was never started, for " + why) : null,
                            null,
                            stop == null ? Cause.RECOVERY : stop.cause(),
                            Actor.SERVER))
                    .await();
        } finally {
            record.close();
        }
        lostTasks.recordInSession(taskId, record.accepted());
        forget(taskId);
    }

    private void forget(String taskId) throws IOException {
        folders.queue().forget(taskId);
        folders.live().remove(taskId);
    }
}
