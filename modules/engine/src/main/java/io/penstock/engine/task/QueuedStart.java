package io.penstock.engine.task;

import io.penstock.engine.session.LaneSlot;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskQueued;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;

/** A spawn that waits for its turn, until that comes or the task is stopped. */
final class QueuedStart implements StartGate {

    private final TaskRecord record;
    private final Context context;
    private final LaneSlot place;
    private final Runnable start;
    private final Consumer<Throwable> failed;
    private boolean open = true;

    /**
     * @param start called on the context when its turn has come, once
     * @param failed told what that threw: nobody else comes back to this task
     */
    QueuedStart(TaskRecord record, Context context, LaneSlot place, Runnable start, Consumer<Throwable> failed) {
        this.record = record;
        this.context = context;
        this.place = place;
        this.start = start;
        this.failed = failed;
    }

    /** Completes when it is recorded that it waits. */
    Future<?> start() {
        // One whose turn came as the server before this one died has its turn again.
        Future<?> told = record.reached().phase() == Phase.QUEUED
                ? record.write(new TaskQueued(place.laneName(), place.ahead()))
                : Future.succeededFuture();
        place.whenTurnComes().onSuccess(free -> context.runOnContext(here -> turnCame()));
        return told;
    }

    private void turnCame() {
        if (!open) {
            return;
        }
        open = false;
        try {
            if (record.reached().phase() == Phase.QUEUED) {
                record.write(new ToolTaskStatus(
                        Phase.STARTING, null, null, null, List.of(), null, null, Cause.QUOTA, Actor.SERVER));
            }
            start.run();
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void withdraw() {
        open = false;
    }
}
