package io.penstock.engine.pump;

import io.penstock.engine.session.Place;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is done to start a program, and what is noted of it on the disk before and after. All of it blocks. */
final class TaskStarter {

    private final TaskParts parts;

    TaskStarter(TaskParts parts) {
        this.parts = parts;
    }

    /**
     * Checks what is asked for, and notes that the task begins; or, if it has to wait, keeps it in the queue and answers empty.
     *
     * @param place null if it takes none yet
     */
    Optional<SpawnRequest> begin(String taskId, TaskRequest request, TaskBudget budget, @Nullable Place place)
            throws IOException {
        Path cwd = Workspace.resolve(parts.workspace(), request.cwd());
        var start = new SpawnRequest(
                request.command(),
                CleanEnvironment.with(request.environment(), request.mode(), taskId),
                cwd,
                request.mode(),
                false,
                request.size());
        if (place != null && place.waits()) {
            keep(taskId, QueuedSpawn.of(request, place, budget));
            return Optional.empty();
        }
        parts.live().begins(taskId);
        return Optional.of(start);
    }

    void keep(String taskId, QueuedSpawn spawn) {
        try {
            parts.queue().keep(taskId, spawn);
        } catch (IOException e) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "So many tasks run that this one has to wait, but what waits cannot be kept: " + e.getMessage()
                            + ". Try again when some have ended, or when there is room on the disk.",
                    e);
        }
    }

    /** @param start empty if it is in the queue */
    RunningProcess start(String taskId, Optional<SpawnRequest> start) throws SpawnFailure, IOException {
        RunningProcess program = parts.spawner().spawn(start.isPresent() ? start.get() : taken(taskId));
        try {
            parts.live().runs(taskId, program.identity());
            return program;
        } catch (IOException e) {
            // A program that the next server could not find again must not run.
            program.killAll();
            program.close();
            throw e;
        }
    }

    /** Out of the queue: if the server dies from here on, the task is lost, and not started a second time. */
    private SpawnRequest taken(String taskId) throws IOException {
        QueuedSpawn spawn = parts.queue().read(taskId);
        var start = new SpawnRequest(
                spawn.command(),
                CleanEnvironment.with(spawn.environment(), spawn.mode(), taskId),
                Workspace.resolve(parts.workspace(), spawn.cwd()),
                spawn.mode(),
                false,
                spawn.size());
        parts.queue().take(taskId);
        return start;
    }

    /** Nothing is left to be told about it by a later server. */
    void endsForGood(String taskId) throws IOException {
        parts.queue().forget(taskId);
        parts.live().ended(taskId);
    }

    /** Its frames cannot be written any more: the next start tells that it is lost, also if it waited for its turn. */
    void leaveForTheNextStart(String taskId) throws IOException {
        if (parts.queue().holds(taskId)) {
            parts.queue().take(taskId);
        }
    }
}
