package io.penstock.engine.launch;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.watch.WatchPlan;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Launches programs, and keeps the task's file up to date before and after. All of it blocks. */
public final class ProgramLauncher {

    private final Spawner spawner;
    private final TaskFolders folders;
    private final Path workspace;
    private final AgentProfiles profiles;

    /**
     * @param workspace the folder that all tasks work in or below
     * @param profiles the agent programs that may be launched
     */
    public ProgramLauncher(Spawner spawner, TaskFolders folders, Path workspace, AgentProfiles profiles) {
        this.spawner = spawner;
        this.folders = folders;
        this.workspace = workspace;
        this.profiles = profiles;
    }

    Optional<PreparedProgram> prepare(LaunchRequest.Prepare spawn) throws IOException {
        TaskRequest request = spawn.request();
        WatchPlan.of(request.watch(), request.mode().channels());
        var program = new PreparedProgram(program(spawn.taskId(), request), request.agent());
        Long arrival = spawn.arrival();
        var kept = arrival == null ? null : new QueuedSpawn(arrival, request, spawn.budget());
        if (kept != null && spawn.waits()) {
            enqueueIfRoom(spawn.taskId(), kept);
            return Optional.empty();
        }
        addFile(spawn.taskId(), request.isKeptWhileRunning() ? kept : null);
        return Optional.of(program);
    }

    /** @param kept what the next server needs of a task that runs; null for others */
    private void addFile(String taskId, @Nullable QueuedSpawn kept) {
        try {
            if (kept == null) {
                folders.live().add(taskId);
            } else {
                folders.live().add(taskId, kept);
            }
        } catch (IOException e) {
            String reason = e instanceof FileSystemException file ? file.getReason() : null;
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "The task cannot be started, since its file cannot be written ("
                            + Objects.requireNonNullElse(reason, e.getClass().getSimpleName())
                            + "). Try again when there is room on the disk.",
                    e);
        }
    }

    private SpawnRequest program(String taskId, TaskRequest request) throws IOException {
        return new SpawnRequest(
                request.command(),
                CleanEnvironment.with(environment(request), request.mode(), taskId),
                Workspace.resolve(workspace, request.cwd()),
                request.mode(),
                request.stdinOpen(),
                request.size());
    }

    /** An agent's profile adds variables, which are not in the request: they may be secrets, and a queued request is a file. */
    private Map<String, String> environment(TaskRequest request) {
        AgentTurn agent = request.agent();
        AgentProfile profile =
                agent == null ? null : profiles.byName().get(agent.spec().profile());
        if (profile == null) {
            return request.environment();
        }
        var all = new HashMap<>(profile.environment());
        all.putAll(request.environment());
        return all;
    }

    private void enqueueIfRoom(String taskId, QueuedSpawn spawn) {
        try {
            folders.queue().add(taskId, spawn);
        } catch (IOException e) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "The maximum number of tasks is running, and this one cannot be queued: " + e.getMessage()
                            + ". Try again when some have ended, or when there is room on the disk.",
                    e);
        }
    }

    @Nullable
    Void enqueue(String taskId, QueuedSpawn spawn) throws IOException {
        folders.queue().addAccepted(taskId, spawn);
        return null;
    }

    LaunchedProgram launch(String taskId, Optional<PreparedProgram> prepared) throws SpawnFailure, IOException {
        TaskRequest queued =
                prepared.isPresent() ? null : folders.queue().read(taskId).request();
        PreparedProgram toStart =
                queued == null ? prepared.orElseThrow() : new PreparedProgram(program(taskId, queued), queued.agent());
        if (queued != null) {
            // If the server dies after this, the task is lost, and started again only as another run.
            folders.queue().claim(taskId);
        }
        RunningProcess program = spawner.spawn(toStart.spawn());
        try {
            boolean kept = queued == null || queued.isKeptWhileRunning();
            folders.live().setProgram(taskId, program.identity(), kept);
            return new LaunchedProgram(program, toStart.spawn().cwd().toString(), toStart.agent());
        } catch (IOException e) {
            // A program that the next server could not find must not run.
            program.killAll();
            program.close();
            throw e;
        }
    }

    @Nullable
    Void forget(String taskId) throws IOException {
        folders.queue().forget(taskId);
        folders.live().remove(taskId);
        return null;
    }

    @Nullable
    Void leaveToNextServer(String taskId) throws IOException {
        if (folders.queue().contains(taskId)) {
            folders.queue().claim(taskId);
        }
        return null;
    }
}
