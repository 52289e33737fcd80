package io.penstock.engine.recovery;

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
import java.util.List;
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

    /** Of the last hits before a death, some may have a frame of the task, but none of its session. */
    void mailMissing(String taskId, RecordedTask task) {
        List<Frame> last = task.lastHits();
        String session = session(task);
        if (session == null || last.isEmpty()) {
            return;
        }
        long oldestMs = last.getFirst().timestampMs();
        long newest = frames.await(() -> services.sessions().newestHit(session, taskId, oldestMs));
        last.stream().filter(hit -> hit.seq() > newest).forEach(hit -> mail(taskId, task, hit));
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
