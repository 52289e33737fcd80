package io.penstock.engine.pump;

import io.penstock.engine.log.StateReader;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.task.TaskGate;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds a frame to a task that has ended, whose stream therefore has no writer. */
final class EndedTaskWriter {

    private final TaskServices services;
    private final StreamId stream;

    EndedTaskWriter(TaskServices services, String taskId) {
        this.services = services;
        this.stream = StreamId.task(taskId);
    }

    /**
     * Completes with the seq of the frame, or with null if nothing changes.
     *
     * @param frame the frame for the task's state; null if nothing changes
     * @param notEnded the failure for a task that has not ended
     */
    Future<@Nullable Long> append(Function<TaskState, @Nullable FrameBody> frame, Failure notEnded) {
        return append(frame, notEnded, (record, spec, allowed) -> allowed.operation());
    }

    /** The same, if policy allows the operation. */
    Future<@Nullable Long> append(
            Operation operation, Actor actor, Function<TaskState, @Nullable FrameBody> frame, Failure notEnded) {
        return append(
                frame,
                notEnded,
                (record, spec, allowed) ->
                        // Of a refusal that did not record its request, nothing is known that a rule could be about.
                        spec == null
                                ? allowed.operation()
                                : new TaskGate(services.policy(), record, spec).ask(operation, actor, allowed));
    }

    private interface Gate {
        Future<Long> ask(TaskRecord record, @Nullable SpawnSpec spec, TaskGate.Allowed<Long> allowed);
    }

    private Future<@Nullable Long> append(Function<TaskState, @Nullable FrameBody> frame, Failure notEnded, Gate gate) {
        return StateReader.of(services.log(), stream, Long.MAX_VALUE).compose(state -> {
            if (state.run().ending() == null) {
                return Future.failedFuture(notEnded);
            }
            FrameBody body = frame.apply(state);
            return body == null
                    ? Future.succeededFuture()
                    : services.log()
                            .open(stream)
                            .compose(writer -> append(writer, state, body, gate).onComplete(done -> writer.close()));
        });
    }

    private Future<@Nullable Long> append(StreamWriter writer, TaskState state, FrameBody body, Gate gate) {
        if (writer.nextSeq() != state.nextSeq()) {
            return Future.failedFuture(new Failure(
                    FailureCode.TASK_NOT_READY,
                    "The task " + stream.id() + " was changed at the same time; try again"));
        }
        var record = new TaskRecord(writer, services.clockMs(), state);
        return gate.ask(record, state.asked(), () -> record.write(body).map(Frame::seq))
                .map(seq -> seq);
    }
}
