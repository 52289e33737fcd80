package io.penstock.engine.log;

import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;

/** Folds a task's frames, reading page after page. */
public final class StateReader {

    private final FrameLog log;
    private final StreamId stream;
    private final long endSeq;
    private TaskState state = TaskState.ABSENT;

    private StateReader(FrameLog log, StreamId stream, long endSeq) {
        this.log = log;
        this.stream = stream;
        this.endSeq = endSeq;
    }

    /** The fold of the frames below {@code endSeq}, or of all if there are fewer. */
    public static Future<TaskState> of(FrameLog log, StreamId stream, long endSeq) {
        var folding = new StateReader(log, stream, endSeq);
        return AsyncLoop.of(folding::page).map(done -> folding.state);
    }

    private Future<Boolean> page() {
        int most = (int) Math.min(endSeq - state.nextSeq(), Limits.PAGE_FRAMES);
        return most <= 0
                ? Future.succeededFuture(false)
                : log.read(stream, state.nextSeq(), most).map(page -> {
                    state = state.after(page.frames());
                    return !page.frames().isEmpty();
                });
    }
}
