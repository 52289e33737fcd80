package io.penstock.engine.pump;

import io.penstock.engine.session.Place;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskQueued;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/** A spawn that waits for its turn, until that comes or the task is stopped. */
final class QueuedStart implements BeforeStart {

    private final TaskRecord record;
    private final Context context;
    private final Place place;
    private final Runnable start;
    private boolean open = true;

    /** @param start called on the context when its turn has come, once */
    QueuedStart(TaskRecord record, Context context, Place place, Runnable start) {
        this.record = record;
        this.context = context;
        this.place = place;
        this.start = start;
    }

    /** Completes when it is recorded that it waits. */
    Future<?> begin() {
        // One whose turn came as the server before this one died has its turn again.
        Future<?> told = record.reached().phase() == Phase.QUEUED
                ? record.write(new TaskQueued(place.laneName(), place.ahead()))
                : Future.succeededFuture();
        place.turn().onSuccess(free -> context.runOnContext(here -> turnCame()));
        return told;
    }

    private void turnCame() {
        if (!open) {
            return;
        }
        open = false;
        if (record.reached().phase() == Phase.QUEUED) {
            record.write(new ToolTaskStatus(
                    Phase.STARTING, null, null, null, List.of(), null, null, Cause.QUOTA, Actor.SERVER));
        }
        start.run();
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
