package io.penstock.engine.pump;

import io.penstock.engine.log.StateReader;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Pins a task that has ended, whose stream therefore has no writer. */
final class EndedTaskPin {

    private final TaskServices services;
    private final TaskCommand.Pin pin;
    private final StreamId stream;

    EndedTaskPin(TaskServices services, TaskCommand.Pin pin) {
        this.services = services;
        this.pin = pin;
        this.stream = StreamId.task(pin.taskId());
    }

    /**
     * Completes with the seq of the frame that records it, or with null if nothing changes.
     *
     * @param notEnded the failure for a task that a dead server left and that has not ended yet
     */
    Future<@Nullable Long> apply(Failure notEnded) {
        return StateReader.of(services.log(), stream, Long.MAX_VALUE).compose(state -> {
            if (state.run().ending() == null) {
                return Future.failedFuture(notEnded);
            }
            return state.pinned() == pin.pinned() ? Future.succeededFuture() : record(state);
        });
    }

    private Future<@Nullable Long> record(TaskState state) {
        return services.log()
                .open(stream)
                .compose(writer -> append(writer, state).onComplete(done -> writer.close()));
    }

    private Future<@Nullable Long> append(StreamWriter writer, TaskState state) {
        if (writer.nextSeq() != state.nextSeq()) {
            return Future.failedFuture(new Failure(
                    FailureCode.TASK_NOT_READY,
                    "The task " + pin.taskId() + " was changed at the same time; try again"));
        }
        return new TaskRecord(writer, services.clockMs(), state)
                .write(new TaskPinned(pin.pinned(), pin.actor()))
                .map(Frame::seq);
    }
}
