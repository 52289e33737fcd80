package io.penstock.engine.recovery;

import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.launch.TaskFolders;
import io.penstock.engine.log.BlockingSteps;
import io.penstock.engine.session.SessionEvent;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.agent.Wakes;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.Keep;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the tasks that a dead server left running: kills what is left of their programs, and records that they are lost, or that they are
 * queued again. They are found before any new task begins, and ended while the server serves, since killing takes seconds on a machine with
 * many processes. All of it blocks.
 */
public final class LostTaskRecovery {

    private static final Logger log = LoggerFactory.getLogger(LostTaskRecovery.class);

    /** Tasks that are settled at the same time: each waits for the log and the disk, and may read all of its output. */
    private static final int AT_ONCE = 16;

    private final RecoveryLog frames;
    private final TaskServices services;
    private final TaskFolders folders;
    private final LostHits hits;
    private final RunAgain runAgain;

    public LostTaskRecovery(Vertx vertx, TaskServices services, TaskFolders folders) {
        this.frames = new RecoveryLog(vertx, services.log());
        this.services = services;
        this.folders = folders;
        this.hits = new LostHits(frames, services);
        this.runAgain = new RunAgain(services, folders);
    }

    /** The tasks that have a file among the living ones, except queued tasks: those were never started. */
    public List<OrphanSession> find() throws IOException {
        return folders.live().orphans().stream()
                .filter(task -> !folders.queue().contains(task.taskId()))
                .toList();
    }

    /**
     * Kills what is left of all of them, then records the end of each, or that it is to run again.
     *
     * @param requeued is given those that are queued again, each when its frames and its file say so
     */
    public void endAll(List<LostTask> lost, Consumer<LostTask> requeued) {
        if (lost.isEmpty()) {
            return;
        }
        log.info("A dead server left {} tasks; they are ended as lost, or queued again", lost.size());
        Map<String, List<Survivor>> survivors =
                OrphanSession.killAll(lost.stream().map(LostTask::orphan).toList());
        BlockingSteps.forEach(lost, AT_ONCE, task -> {
            boolean again = false;
            try {
                again = settle(task, survivors.getOrDefault(task.taskId(), List.of()));
                if (again) {
                    requeued.accept(task);
                }
            } catch (Throwable e) {
                // The others must still be ended. The file of this one stays for the next start.
                log.error("Task {} was left by a dead server and cannot be ended", task.taskId(), e);
            } finally {
                if (!again && task.slot() != null) {
                    services.lanes().release(task.slot());
                }
            }
        });
    }

    /** Returns whether the task is to run again; otherwise its end is recorded. */
    private boolean settle(LostTask lost, List<Survivor> survivors) throws IOException {
        String taskId = lost.taskId();
        RecordedTask task = frames.all(StreamId.task(taskId));
        TaskState state = task.state();
        boolean wasEnded = state.phase() == Phase.ENDED;
        if (state.phase() != Phase.ABSENT && !wasEnded) {
            var record = new TaskRecord(frames.open(StreamId.task(taskId)), services.clockMs(), state);
            try {
                hits.bring(taskId, record, task);
                switch (runAgain.decide(taskId, task, survivors)) {
                    case RunAgain.RunsAgain again -> {
                        runAgain.record(taskId, record, again);
                        return true;
                    }
                    case RunAgain.Settled _ -> recordSettled(record);
                    case RunAgain.Ends ends -> recordLoss(record, task, lost.orphan(), survivors, ends);
                }
            } finally {
                record.close();
            }
            state = record.accepted();
        } else {
            hits.mailMissing(taskId, task);
        }
        recordInSession(taskId, state);
        TaskLinks links = state.spec() == null ? null : state.spec().links();
        if (links != null && links.wake() != null && !state.run().woke()) {
            Wakes wakes = services.agents().wakes();
            (wasEnded ? wakes.recordUnknown(taskId, state) : wakes.wake(taskId, state)).await();
        }
        folders.queue().forget(taskId);
        folders.live().remove(taskId);
        return false;
    }

    /** The dead server may have recorded the end in the task's stream, and not in its session's. */
    void recordInSession(String taskId, TaskState last) {
        ToolTaskSpawned spec = last.spec();
        String session = spec == null ? null : spec.originSessionId();
        if (session != null && last.phase() == Phase.ENDED) {
            services.sessions()
                    .recordOnce(session, new SessionEvent.TaskEnded(taskId, last))
                    .await();
        }
    }

    /** The server died between the agent's last turn and the end of its program, of which nothing is left. */
    private void recordSettled(TaskRecord record) {
        TaskState state = record.accepted();
        List<LogEnd> logs = sealLogs(record, state);
        record.write(new ToolTaskStatus(
                        Phase.ENDED,
                        new Ending(Outcome.SUCCEEDED, null, null),
                        state.run().startedAtMs(),
                        record.now(),
                        logs,
                        null,
                        null,
                        Cause.RECOVERY,
                        Actor.SERVER))
                .await();
    }

    private void recordLoss(
            TaskRecord record, RecordedTask task, OrphanSession orphan, List<Survivor> survivors, RunAgain.Ends ends) {
        if (!survivors.isEmpty()) {
            record.write(new TaskNotice(
                            "still_alive",
                            "What the task started and could not be ended: " + TaskSentences.names(survivors)))
                    .await();
        }
        TaskState state = record.accepted();
        String unanswered = unanswered(state, orphan, survivors);
        String error =
                unanswered == null ? TaskSentences.fitting("lost: " + RunAgain.how(task) + ends.because()) : unanswered;
        List<LogEnd> logs = sealLogs(record, state);
        record.write(new ToolTaskStatus(
                        Phase.ENDED,
                        unanswered == null ? Ending.lost() : Ending.failed(),
                        state.run().startedAtMs(),
                        record.now(),
                        logs,
                        error,
                        null,
                        Cause.RECOVERY,
                        Actor.SERVER))
                .await();
    }

    /** The error of a task whose approval was pending, so that its program certainly was not started; null for others. */
    private static @Nullable String unanswered(TaskState state, OrphanSession orphan, List<Survivor> survivors) {
        return RunAgain.isUnanswered(state) && orphan.program() == null && survivors.isEmpty()
                ? TaskSentences.fitting("never started: the server died before anybody had answered \""
                        + state.run().question() + "\"; spawn it again to be asked again")
                : null;
    }

    List<LogEnd> sealLogs(TaskRecord record, TaskState state) {
        ToolTaskSpawned spec = state.spec();
        var logs = new ArrayList<LogEnd>();
        for (LogRef ref : spec == null ? List.<LogRef>of() : spec.logs()) {
            logs.add(sealLog(record, state, ref));
        }
        return logs;
    }

    private LogEnd sealLog(TaskRecord record, TaskState state, LogRef ref) {
        Channel channel = ref.channel();
        long total = state.output().total(channel);
        long stored = state.output().stored(channel);
        Sealed sealed;
        try {
            sealed = services.artifacts().recover(ref.artifactId(), stored).await();
        } catch (Throwable e) {
            return new LogEnd(ref, total, stored, TaskSentences.fitting("it could not be sealed: " + e.getMessage()));
        }
        if (total == 0) {
            return new LogEnd(ref, 0, 0, null, sealed.digest());
        }
        long missing = storable(state.spec(), total) - stored;
        if (missing > 0) {
            record.write(new ToolTaskOutputGap(
                            channel, stored, missing, "the server died before the output was stored again"))
                    .await();
        }
        record.write(new ArtifactWritten(sealed.artifactId(), "log", sealed.bytes(), sealed.digest(), null))
                .await();
        String error = sealed.bytes() == stored ? null : "only " + sealed.bytes() + " bytes of it are left";
        return new LogEnd(ref, total, stored, error, sealed.digest());
    }

    /** How many of the output's bytes could be stored within the cap. */
    private long storable(@Nullable ToolTaskSpawned spec, long total) {
        Long cap = spec == null ? null : spec.artifactMaxBytes();
        boolean keepsTail =
                spec != null && spec.keep() == Keep.TAIL && services.artifacts().canKeepTails();
        return cap == null || keepsTail ? total : Math.min(cap, total);
    }
}
