package io.penstock.engine.task.matching;

import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSession;
import io.penstock.frames.Frame;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.TaskWatcherHit;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.List;

/** Hits on their way into the log, and into the mailbox of the task's session. They wait while it has no room; none is left out. Lives on its shard's context. */
final class WatcherHits {

    /** Hits that are recorded in one go: a millisecond of the event loop. */
    private static final int AT_ONCE = 500;

    /** Hits on their way into the session's mailbox; more wait. */
    static final int UNMAILED = 64;

    private final Context context;
    private final TaskRecord record;
    private final TaskSession session;
    private final SpawnSpec spec;
    private final ArrayDeque<TaskWatcherHit> waiting = new ArrayDeque<>();
    private int unmailed;
    private Promise<Void> recorded = Promise.promise();

    WatcherHits(Context context, TaskRecord record, TaskSession session, SpawnSpec spec) {
        this.context = context;
        this.record = record;
        this.session = session;
        this.spec = spec;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Completes when all are on their way into the log in their order. */
    Future<Void> record(List<TaskWatcherHit> hits) {
        if (hits.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> all = Promise.promise();
        recorded = all;
        waiting.addAll(hits);
        write();
        return all.future();
    }

    /** Records those for which the log has room. */
    void write() {
        int count = 0;
        while (!waiting.isEmpty() && !record.isCrowded() && unmailed < UNMAILED) {
            if (count++ == AT_ONCE) {
                context.runOnContext(later -> write());
                return;
            }
            write(waiting.remove());
        }
        if (waiting.isEmpty()) {
            recorded.tryComplete();
        }
    }

    private void write(TaskWatcherHit hit) {
        Future<Frame> written = record.write(hit);
        if (spec.originSessionId() != null) {
            unmailed++;
            written.compose(frame -> session.recordHit(spec, hit, frame.seq()))
                    .onComplete(mailed -> context.runOnContext(here -> {
                        unmailed--;
                        write();
                    }));
        }
    }

    void discard() {
        waiting.clear();
    }
}
