package io.penstock.engine.recovery;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.task.matching.RecordedTask;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log for the recovery of tasks. Each call blocks, and waits while the database is unavailable, however long that takes: a
 * task that was skipped instead would be shown as running, or as queued, until the next start.
 */
final class RecoveryLog {

    private static final Logger log = LoggerFactory.getLogger(RecoveryLog.class);

    /** A database that restarts is back in about a second. */
    private static final long RETRY_MS = 250;

    private final Vertx vertx;
    private final FrameLog frames;

    RecoveryLog(Vertx vertx, FrameLog frames) {
        this.vertx = vertx;
        this.frames = frames;
    }

    /** All frames of the stream; none of a task whose server died before the first was accepted. */
    RecordedTask all(StreamId stream) {
        RecordedTask task = first(stream);
        boolean more = task.state().nextSeq() > 0;
        while (more) {
            more = addPage(stream, task);
        }
        return task;
    }

    /** The stream's first page: all its frames, if it was not written to for long. */
    RecordedTask first(StreamId stream) {
        var task = new RecordedTask();
        try {
            addPage(stream, task);
        } catch (Failure e) {
            if (e.code() != FailureCode.STREAM_NOT_FOUND) {
                throw e;
            }
        }
        return task;
    }

    /** Returns whether there may be another page. */
    private boolean addPage(StreamId stream, RecordedTask task) {
        Page page = page(stream, task.state().nextSeq());
        page.frames().forEach(task::add);
        return !page.frames().isEmpty();
    }

    Page page(StreamId stream, long fromSeq) {
        return await(() -> frames.read(stream, fromSeq, Limits.PAGE_FRAMES));
    }

    StreamWriter open(StreamId stream) {
        return await(() -> frames.open(stream));
    }

    /** The result of a query, once the database is there to answer it. */
    <T> T await(Supplier<Future<T>> query) {
        boolean warned = false;
        while (true) {
            try {
                return query.get().await();
            } catch (Failure e) {
                if (e.code() != FailureCode.DATABASE_UNAVAILABLE) {
                    throw e;
                }
                if (!warned) {
                    log.warn("The recovery of tasks waits for the database: {}", e.getMessage());
                    warned = true;
                }
            }
            vertx.timer(RETRY_MS).await();
        }
    }
}
