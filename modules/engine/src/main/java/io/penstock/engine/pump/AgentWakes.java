package io.penstock.engine.pump;

import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.agent.Wakes;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.ContractStatus;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.LogEnd;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWoke;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wakes agents at the ends of tasks, each at most once. */
final class AgentWakes implements Wakes {

    private static final Logger log = LoggerFactory.getLogger(AgentWakes.class);

    private volatile @Nullable AgentApi agents;
    private volatile @Nullable TaskServices services;

    /** Called once, before a task is started. */
    void connect(AgentApi door, TaskServices taskServices) {
        agents = door;
        services = taskServices;
    }

    @Override
    public Future<?> wake(String endedTaskId, TaskState last) {
        ToolTaskSpawned spec = Objects.requireNonNull(last.spec());
        TaskLinks.Wake wake =
                Objects.requireNonNull(Objects.requireNonNull(spec.links()).wake());
        return agents().wake(wake.taskId(), message(endedTaskId, last, wake), "woken-by:" + endedTaskId, spec.actor())
                .transform(woken -> record(
                        endedTaskId,
                        wake,
                        woken.succeeded()
                                ? null
                                : TaskSentences.fitting(
                                        String.valueOf(woken.cause().getMessage()))));
    }

    @Override
    public Future<?> recordUnknown(String endedTaskId, TaskState last) {
        TaskLinks.Wake wake = Objects.requireNonNull(
                Objects.requireNonNull(Objects.requireNonNull(last.spec()).links())
                        .wake());
        return record(endedTaskId, wake, "the server died before it was known whether the agent was woken");
    }

    private AgentApi agents() {
        return Objects.requireNonNull(agents, "connected before the first task");
    }

    private Future<?> record(String taskId, TaskLinks.Wake wake, @Nullable String error) {
        return new EndedTaskWriter(Objects.requireNonNull(services), taskId)
                .append(
                        state -> new TaskWoke(wake.taskId(), error),
                        new Failure(FailureCode.TASK_NOT_READY, "The task " + taskId + " has not ended"))
                .onFailure(e -> log.error(
                        "It is not recorded that the end of task {} was to wake {}: {}",
                        taskId,
                        wake.taskId(),
                        e.getMessage()))
                .otherwiseEmpty();
    }

    private static String message(String taskId, TaskState last, TaskLinks.Wake wake) {
        ToolTaskSpawned spec = Objects.requireNonNull(last.spec());
        String logs = last.run().logs().stream()
                .filter(log -> log.bytesTotal() > 0)
                .map(AgentWakes::reference)
                .collect(Collectors.joining("\n"));
        return wake.message() + "\n\nTask " + taskId
                + (spec.label() == null ? "" : " (" + spec.label() + ")")
                + " ended with the status " + ContractStatus.taskTools(last.phase(), last.outcome())
                + (last.run().error() == null ? "." : ": " + last.run().error())
                + (logs.isEmpty() ? "" : "\n" + logs);
    }

    private static String reference(LogEnd log) {
        return log.log().channel().wireName() + ": artifact " + log.log().artifactId() + ", " + log.bytesTotal()
                + " bytes";
    }
}
