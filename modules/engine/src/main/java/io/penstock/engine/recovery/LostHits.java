package io.penstock.engine.recovery;

import io.penstock.engine.log.Page;
import io.penstock.engine.session.SessionEvent;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.matching.OutputMatching;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.engine.task.matching.UnrecordedHits;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskSpawned;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the hits of a task that a dead server left: first into the task's frames, then into the mailbox. Each once. Blocks. */
final class LostHits {

    private static final Logger log = LoggerFactory.getLogger(LostHits.class);

    private final RecoveryLog frames;
    private final TaskServices services;
    private final OutputMatching.Services matching;

    LostHits(RecoveryLog frames, TaskServices services) {
        this.frames = frames;
        this.services = services;
        this.matching = new OutputMatching.Services(
                services.log(), services.artifacts(), services.sessions(), services.matching());
    }

    /** Records the hits that are missing in the mailbox, then those in output that the dead server had recorded, but not searched. */
    void bring(String taskId, TaskRecord record, RecordedTask task) {
        mailMissing(taskId, task);
        if (task.watchers().isEmpty()) {
            return;
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(UnrecordedHits.WITHIN_MS);
        try {
            var search = new UnrecordedHits(matching, StreamId.task(taskId), task);
            while (!search.isDone()) {
                if (System.nanoTime() > until) {
                    record.write(new TaskNotice(
                                    "watchers_ended",
                                    "The watchers did not search the last output before the server died to its end: their"
                                            + " patterns are slow"))
                            .await();
                    return;
                }
                for (TaskWatcherHit hit : frames.await(search::next)) {
                    mail(taskId, task, record.write(hit).await());
                }
            }
        } catch (Failure e) {
            throw e;
        } catch (RuntimeException e) {
            // The task must be ended, or run again, nevertheless.
            log.error("The last output of task {} before the server died cannot be searched", taskId, e);
        }
    }

    /**
     * Before a death, some hits may have got a frame of the task, but none of its session: those on their way, and those that the session
     * had merged, but not recorded yet.
     */
    void mailMissing(String taskId, RecordedTask task) {
        Map<String, Long> newest = task.newestHits();
        String session = session(task);
        if (session == null || newest.isEmpty()) {
            return;
        }
        Map<String, Long> mailed =
                frames.await(() -> services.sessions().newestHits(session, taskId, newest.keySet(), task.firstHitMs()));
        long next = newest.entrySet().stream()
                .filter(watcher -> watcher.getValue() > mailed.getOrDefault(watcher.getKey(), -1L))
                .mapToLong(watcher -> mailed.getOrDefault(watcher.getKey(), -1L) + 1)
                .min()
                .orElse(Long.MAX_VALUE);
        while (next < task.state().nextSeq()) {
            Page page = frames.page(StreamId.task(taskId), next);
            for (Frame frame : page.frames()) {
                if (frame.body() instanceof TaskWatcherHit hit
                        && frame.seq() > mailed.getOrDefault(hit.watcherId(), -1L)) {
                    mail(taskId, task, frame);
                }
            }
            next = page.nextSeq();
        }
    }

    private void mail(String taskId, RecordedTask task, Frame frame) {
        String session = session(task);
        if (session != null && frame.body() instanceof TaskWatcherHit hit) {
            services.sessions()
                    .record(session, new SessionEvent.WatcherHit(taskId, hit, frame.seq()))
                    .await();
        }
    }

    private static @Nullable String session(RecordedTask task) {
        ToolTaskSpawned spec = task.state().spec();
        return spec == null ? null : spec.originSessionId();
    }
}
