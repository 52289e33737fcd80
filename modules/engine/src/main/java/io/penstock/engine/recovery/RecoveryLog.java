package io.penstock.engine.recovery;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.StateReader;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherAdded;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
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

    /** The fold of all frames of the stream. */
    TaskState state(StreamId stream) {
        return orAbsent(() -> StateReader.of(frames, stream, Long.MAX_VALUE));
    }

    /** The fold of the stream's first page: of all its frames, if it was not written to for long. */
    TaskState firstState(StreamId stream) {
        return orAbsent(() -> frames.read(stream, 0, Limits.PAGE_FRAMES).map(page -> TaskState.fold(page.frames())));
    }

    /** The watchers that are recorded in the first frames of the stream. */
    List<TaskWatcherAdded> watchers(StreamId stream) {
        return await(() -> frames.read(stream, 0, Limits.PAGE_FRAMES)
                .map(page -> page.frames().stream()
                        .map(Frame::body)
                        .filter(TaskWatcherAdded.class::isInstance)
                        .map(TaskWatcherAdded.class::cast)
                        .toList()));
    }

    StreamWriter open(StreamId stream) {
        return await(() -> frames.open(stream));
    }

    /** A server that dies before the first frame of a task is accepted leaves no stream. */
    private TaskState orAbsent(Supplier<Future<TaskState>> query) {
        try {
            return await(query);
        } catch (Failure e) {
            if (e.code() != FailureCode.STREAM_NOT_FOUND) {
                throw e;
            }
            return TaskState.ABSENT;
        }
    }

    private <T> T await(Supplier<Future<T>> query) {
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
