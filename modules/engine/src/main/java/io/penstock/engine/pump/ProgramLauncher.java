package io.penstock.engine.pump;

import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.task.TaskBudget;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is done to start a program, and what is noted of it on the disk before and after. All of it blocks. */
final class ProgramLauncher {

    private final ShardServices parts;

    ProgramLauncher(ShardServices parts) {
        this.parts = parts;
    }

    /**
     * Checks what is asked for, and notes that the task begins; or, if it has to wait, keeps it in the queue and answers empty.
     *
     * @param place null if it takes none yet
     */
    Optional<SpawnRequest> prepare(String taskId, TaskRequest request, TaskBudget budget, @Nullable LaneSlot place)
            throws IOException {
        SpawnRequest start = spawnRequest(taskId, request);
        if (place != null && place.isWaiting()) {
            enqueue(taskId, new QueuedSpawn(place.arrival(), request, budget));
            return Optional.empty();
        }
        parts.live().add(taskId);
        return Optional.of(start);
    }

    private SpawnRequest spawnRequest(String taskId, TaskRequest request) throws IOException {
        return new SpawnRequest(
                request.command(),
                CleanEnvironment.with(request.environment(), request.mode(), taskId),
                Workspace.resolve(parts.workspace(), request.cwd()),
                request.mode(),
                false,
                request.size());
    }

    private void enqueue(String taskId, QueuedSpawn spawn) {
        try {
            parts.queue().add(taskId, spawn);
        } catch (IOException e) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "So many tasks run that this one has to wait, but what waits cannot be kept: " + e.getMessage()
                            + ". Try again when some have ended, or when there is room on the disk.",
                    e);
        }
    }

    /** For a spawn that was accepted before it has to wait. */
    void keepAccepted(String taskId, QueuedSpawn spawn) throws IOException {
        parts.queue().keepAccepted(taskId, spawn);
    }

    /** @param start empty if it is in the queue */
    RunningProcess start(String taskId, Optional<SpawnRequest> start) throws SpawnFailure, IOException {
        RunningProcess program = parts.spawner().spawn(start.isPresent() ? start.get() : claimFromQueue(taskId));
        try {
            parts.live().setProgram(taskId, program.identity());
            return program;
        } catch (IOException e) {
            // A program that the next server could not find again must not run.
            program.killAll();
            program.close();
            throw e;
        }
    }

    /** Out of the queue: if the server dies from here on, the task is lost, and not started a second time. */
    private SpawnRequest claimFromQueue(String taskId) throws IOException {
        SpawnRequest start = spawnRequest(taskId, parts.queue().read(taskId).request());
        parts.queue().claim(taskId);
        return start;
    }

    /** Nothing is left to be told about it by a later server. */
    void endsForGood(String taskId) throws IOException {
        parts.queue().forget(taskId);
        parts.live().remove(taskId);
    }

    /** Its frames cannot be written any more: the next start tells that it is lost, also if it waited for its turn. */
    void leaveForTheNextStart(String taskId) throws IOException {
        if (parts.queue().contains(taskId)) {
            parts.queue().claim(taskId);
        }
    }
}
