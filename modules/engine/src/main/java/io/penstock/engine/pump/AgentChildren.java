package io.penstock.engine.pump;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.task.agent.ChildTasks;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The commands of agents, as tasks. */
final class AgentChildren implements ChildTasks {

    /** Recorded as the tool of these tasks. */
    private static final String TOOL = "agent_terminal";

    private static final long END_MS = 3_600_000L * 24;

    private final Path workspace;
    private volatile @Nullable TaskApi tasks;

    AgentChildren(Path workspace) {
        this.workspace = workspace;
    }

    /** Called once, before a task is started. */
    void connect(TaskApi door) {
        tasks = door;
    }

    private TaskApi tasks() {
        return Objects.requireNonNull(tasks, "connected before the first task");
    }

    @Override
    public Future<String> start(
            String parentTaskId,
            ToolTaskSpawned parent,
            List<String> command,
            Map<String, String> environment,
            @Nullable String folder) {
        int depth = parent.links() == null ? 1 : parent.links().depth() + 1;
        return tasks().spawn(TaskRequest.builder(TOOL, command, Actor.PROGRAM)
                .args(new JsonText(
                        new JsonObject().put("command", new JsonArray(command)).encode()))
                .environment(environment)
                .cwd(folder == null ? parent.cwd() : relative(folder))
                .originSessionId(parent.originSessionId())
                .links(new TaskLinks(parentTaskId, depth, null, false, null))
                .build());
    }

    private String relative(String folder) {
        Path given = Path.of(folder);
        Path root = workspace.toAbsolutePath().normalize();
        if (!given.isAbsolute() || !given.normalize().startsWith(root)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "the folder \"" + folder + "\" is not an absolute path in the workspace");
        }
        return root.relativize(given.normalize()).toString();
    }

    @Override
    public Future<String> output(String taskId, int maxBytes) {
        return tasks().state(taskId)
                .compose(state -> tail(taskId, state, Channel.STDOUT, maxBytes)
                        .compose(out ->
                                tail(taskId, state, Channel.STDERR, maxBytes).map(err -> out + err)));
    }

    private Future<String> tail(String taskId, TaskState state, Channel channel, int maxBytes) {
        long from = Math.max(0, state.output().total(channel) - maxBytes);
        return tasks().output(taskId, state, channel, from, maxBytes)
                .map(slice -> slice.text().text());
    }

    @Override
    public Future<TaskState> state(String taskId) {
        return tasks().state(taskId);
    }

    @Override
    public Future<TaskState> awaitEnd(String taskId) {
        return tasks().awaitState(taskId, state -> state.run().ending() != null, END_MS)
                .state();
    }

    @Override
    public Future<?> cancel(String taskId, String reason) {
        return tasks().apply(new TaskCommand.Cancel(taskId, reason, Actor.PROGRAM));
    }

    @Override
    public void cancelBelow(String taskId) {
        tasks().cancelBelow(taskId, Actor.SERVER);
    }
}
