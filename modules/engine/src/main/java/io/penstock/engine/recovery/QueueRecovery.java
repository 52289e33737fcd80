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
import io.penstock.engine.task.TaskOutput;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskCancelled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resumes the tasks that were queued when the server before this one ended, in their order of arrival. Policy is not asked again. Those that
 * ran then keep their places too, until it is known whether they run again. All of it blocks.
 */
public final class QueueRecovery {

    private static final Logger log = LoggerFactory.getLogger(QueueRecovery.class);

    /** Tasks that are read from the log at the same time: a batch for the database, and little memory. */
    private static final int AT_ONCE = 128;

    /**
     * A task's file, without what only its launch needs: the files of a long queue are larger than the heap should be.
     *
     * @param watchers how many watchers the spawn asked for
     * @param orphan the task, if the dead server ran it; null if it was queued
     */
    private record Queued(
            String taskId,
            long arrival,
            LaneKey lane,
            TaskBudget budget,
            int watchers,
            @Nullable OrphanSession orphan) {

        Queued(String taskId, QueuedSpawn spawn, @Nullable OrphanSession orphan) {
            this(
                    taskId,
                    spawn.arrival(),
                    spawn.request().lane(),
                    spawn.budget(),
                    spawn.request().watch().size(),
                    orphan);
        }
    }

    private record Restored(Queued task, LaneSlot slot) {}

    private record Unreadable(String taskId, String why) {}

    private final RecoveryLog frames;
    private final TaskServices services;
    private final TaskFolders folders;
    private final LostTaskRecovery lostTasks;
    private final TaskResumer shards;
    private final Queue<LostTask> lost = new ConcurrentLinkedQueue<>();

    public QueueRecovery(
            Vertx vertx, TaskServices services, TaskFolders folders, LostTaskRecovery lostTasks, TaskResumer shards) {
        this.frames = new RecoveryLog(vertx, services.log());
        this.services = services;
        this.folders = folders;
        this.lostTasks = lostTasks;
        this.shards = shards;
    }

    /**
     * Returns when each queued task is queued again or its end is recorded. None is started before the lanes are opened. The others are
     * returned, with the slots by which they hold up those behind them in their lanes.
     *
     * @param orphans the tasks that the dead server ran
     */
    public List<LostTask> resumeAll(List<OrphanSession> orphans) throws IOException {
        services.lanes().close();
        var queued = new ArrayList<Queued>();
        var unreadable = new ArrayList<Unreadable>();
        for (String taskId : folders.queue().taskIds()) {
            try {
                queued.add(new Queued(taskId, folders.queue().read(taskId), null));
            } catch (IOException e) {
                unreadable.add(new Unreadable(taskId, String.valueOf(e.getMessage())));
            }
        }
        if (!queued.isEmpty()) {
            log.info("{} tasks were queued when the last server ended; they are queued again", queued.size());
        }
        for (OrphanSession orphan : orphans) {
            QueuedSpawn spawn = folders.live().request(orphan.taskId());
            if (spawn == null) {
                lost.add(new LostTask(orphan, null));
            } else {
                queued.add(new Queued(orphan.taskId(), spawn, orphan));
            }
        }
        queued.sort(Comparator.comparingLong(Queued::arrival).thenComparing(Queued::taskId));
        // Slots are restored in order, before any task is resumed: none overtakes another.
        List<Restored> restored = queued.stream()
                .map(task -> new Restored(task, services.lanes().restore(task.lane(), task.arrival())))
                .toList();
        BlockingSteps.forEach(restored, AT_ONCE, this::resumeOrRelease);
        BlockingSteps.forEach(unreadable, AT_ONCE, this::end);
        return List.copyOf(lost);
    }

    /** Queues another run of a task that {@link #resumeAll} has returned, once its frames say so. */
    public void resume(LostTask task) {
        LaneSlot slot = Objects.requireNonNull(task.slot(), "a task with a request has a slot");
        try {
            resumeOrRelease(
                    new Restored(new Queued(task.taskId(), folders.queue().read(task.taskId()), null), slot));
        } catch (IOException e) {
            services.lanes().release(slot);
            end(new Unreadable(task.taskId(), String.valueOf(e.getMessage())));
        }
    }

    private void resumeOrRelease(Restored restored) {
        String taskId = restored.task().taskId();
        OrphanSession orphan = restored.task().orphan();
        boolean resumed = false;
        try {
            RecordedTask task = orphan == null ? recorded(taskId) : null;
            if (task != null && wasRunning(task.state())) {
                // The dead server died while it queued the task again.
                orphan = folders.live().orphan(taskId);
            }
            if (orphan != null) {
                lost.add(new LostTask(orphan, restored.slot()));
                return;
            }
            resumed = task != null && isQueued(taskId, task.state()) && resume(restored, task);
        } catch (Throwable e) {
            // The others must still run. The file of this one stays for the next start.
            log.error("Task {} was queued and cannot be resumed", taskId, e);
        }
        if (!resumed) {
            services.lanes().release(restored.slot());
        }
    }

    /** Returns whether the task needs its slot; otherwise its end is recorded, or it is left to the next server. */
    private boolean resume(Restored restored, RecordedTask recorded) throws IOException {
        String taskId = restored.task().taskId();
        TaskState state = recorded.state();
        try {
            StreamWriter writer = frames.open(StreamId.task(taskId));
            if (writer.nextSeq() > state.nextSeq()) {
                // The first page was read only, and there is another.
                writer.close();
                RecordedTask whole = frames.all(StreamId.task(taskId));
                if (wasRunning(whole.state())) {
                    lost.add(new LostTask(folders.live().orphan(taskId), restored.slot()));
                    return true;
                }
                return isQueued(taskId, whole.state()) && resume(restored, whole);
            }
            TaskOutput output;
            try {
                output = TaskOutput.continued(services, taskId, recorded);
            } catch (IOException | RuntimeException e) {
                writer.close();
                throw e;
            }
            shards.resume(new QueuedTask(
                            taskId,
                            writer,
                            state,
                            restored.task().budget(),
                            restored.slot(),
                            recorded,
                            unrecordedWatchers(restored.task(), recorded),
                            output))
                    .await();
            return true;
        } catch (TaskOver e) {
            log.info("Task {} is left to the next server: {}", taskId, e.getMessage());
            return false;
        } catch (Throwable e) {
            log.error("Task {} was queued and is ended, because it cannot be resumed", taskId, e);
            end(taskId, state, "it could not be resumed: " + e.getMessage());
            return false;
        }
    }

    /** The watchers of the spawn that a server did not record before it died. They were being recorded in their order. */
    private List<WatchSpec> unrecordedWatchers(Queued task, RecordedTask recorded) throws IOException {
        int known = recorded.watchers().size();
        return known >= task.watchers()
                ? List.of()
                : folders.queue().read(task.taskId()).request().watch().subList(known, task.watchers());
    }

    private void end(Unreadable task) {
        String taskId = task.taskId();
        log.error("Task {} was queued and is ended: {}", taskId, task.why());
        try {
            TaskState state = recorded(taskId).state();
            if (wasRunning(state)) {
                folders.queue().claim(taskId);
                lost.add(new LostTask(folders.live().orphan(taskId), null));
            } else if (isQueued(taskId, state)) {
                end(taskId, state, task.why());
            }
        } catch (Throwable e) {
            log.error("Task {} was queued and cannot be ended", taskId, e);
        }
    }

    /** A queued task has few frames, which are read in one go; {@link #resume} notices if there are more. */
    private RecordedTask recorded(String taskId) {
        StreamId stream = StreamId.task(taskId);
        RecordedTask first = frames.first(stream);
        return switch (first.state().phase()) {
            case QUEUED, STARTING, ABSENT -> first;
            case AWAITING_INPUT, RUNNING, IDLE, STOPPING, ENDED -> frames.all(stream);
        };
    }

    private static boolean wasRunning(TaskState state) {
        return switch (state.phase()) {
            case AWAITING_INPUT, RUNNING, IDLE -> true;
            case ABSENT, QUEUED, STARTING, STOPPING, ENDED -> false;
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
            case AWAITING_INPUT, RUNNING, IDLE -> throw new IllegalStateException("a queued task runs");
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
                            stop == null ? TaskSentences.fitting(notStarted(state) + why) : null,
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

    private static String notStarted(TaskState state) {
        int run = state.run().number();
        return (run == 1 ? "It" : "Run " + run) + " was never started, for ";
    }

    private void forget(String taskId) throws IOException {
        folders.queue().forget(taskId);
        folders.live().remove(taskId);
    }
}
