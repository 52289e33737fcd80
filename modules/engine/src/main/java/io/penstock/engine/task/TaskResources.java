package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.launch.LaunchRequest;
import io.penstock.engine.launch.LaunchedProgram;
import io.penstock.engine.launch.PreparedProgram;
import io.penstock.engine.launch.QueuedSpawn;
import io.penstock.engine.launch.TaskBudget;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.session.LaneKey;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources of a task from its spawn to its end: a slot in its lane, descriptors for its start, and the file from which the next
 * server learns of it. Lives on its shard's context.
 */
final class TaskResources {

    private static final Logger log = LoggerFactory.getLogger(TaskResources.class);

    private final Vertx vertx;
    private final TaskServices services;
    private final Address<LaunchRequest<?>> launches;
    private final String taskId;
    private @Nullable LaneSlot slot;

    TaskResources(Vertx vertx, TaskServices services, String taskId) {
        this.vertx = vertx;
        this.services = services;
        this.launches = services.addresses().launches();
        this.taskId = taskId;
    }

    /** Takes a slot, or throws {@code QUOTA_EXCEEDED}. */
    void enterLane(LaneKey lane) {
        LaneSlot entered = services.lanes().enter(lane);
        slot = entered;
        if (!entered.isWaiting() && !services.descriptors().reserveStart(taskId)) {
            release();
            throw new Failure(FailureCode.QUOTA_EXCEEDED, services.descriptors().sentence());
        }
    }

    /** Takes a place among the open questions, or throws {@code QUOTA_EXCEEDED}. */
    void enterQuestions(TaskRequest request) {
        services.questions().reserve(taskId, request);
    }

    void leaveQuestions() {
        services.questions().release(taskId);
    }

    /** Takes a slot for a task that was accepted before; it is never refused. */
    LaneSlot enterLaneAccepted(LaneKey lane) {
        LaneSlot entered = services.lanes().enterAccepted(lane);
        slot = entered;
        return entered;
    }

    void restore(LaneSlot queued) {
        slot = queued;
    }

    LaneSlot slot() {
        return Objects.requireNonNull(slot, "a task enters a lane before its turn");
    }

    /** Releases the slot, the place among the questions and the descriptors; may be called more than once. */
    void release() {
        leaveQuestions();
        services.descriptors().endStart(taskId);
        if (slot != null) {
            services.lanes().release(slot);
        }
    }

    /** Checks the request and creates the file. Completes with the program; empty if it is in the queue. */
    Future<Optional<PreparedProgram>> prepare(TaskRequest request, TaskBudget budget) {
        LaneSlot entered = slot;
        return launches.request(new LaunchRequest.Prepare(
                taskId,
                request,
                budget,
                entered == null ? null : entered.arrival(),
                entered != null && entered.isWaiting()));
    }

    Future<?> enqueueAccepted(QueuedSpawn queued) {
        return launches.<@Nullable Void>request(new LaunchRequest.Enqueue(taskId, queued));
    }

    /**
     * Launches the program once there are descriptors for it. Fails if the task is stopped meanwhile.
     *
     * @param prepared empty if the program is in the queue
     */
    Future<LaunchedProgram> launch(Optional<PreparedProgram> prepared, BooleanSupplier isStopped) {
        return new DescriptorReserve(vertx, services.descriptors())
                .reserve(taskId, isStopped)
                .compose(reserved -> {
                    if (isStopped.getAsBoolean()) {
                        throw new TaskOver("The task " + taskId + " was stopped before its program was started");
                    }
                    return launches.request(new LaunchRequest.Launch(taskId, prepared));
                })
                .onComplete(launched -> services.descriptors().endStart(taskId));
    }

    /** Removes the file: no later server has anything to do for the task. */
    Future<?> forgetFile() {
        return changeFile(new LaunchRequest.Forget(taskId));
    }

    /** Lets the next server end the task as lost. */
    Future<?> leaveFileToNextServer() {
        return changeFile(new LaunchRequest.LeaveToNextServer(taskId));
    }

    private Future<?> changeFile(LaunchRequest<@Nullable Void> change) {
        return launches.<@Nullable Void>request(change)
                .onFailure(
                        e -> log.error("The file of task {} cannot be changed; the next server trusts it", taskId, e));
    }
}
