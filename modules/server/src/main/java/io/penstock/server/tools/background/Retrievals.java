package io.penstock.server.tools.background;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.server.tools.agents.SessionTask;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes that results were retrieved: in the tasks' streams, so that it survives a restart. The first retrieval of a run's result counts.
 */
final class Retrievals {

    private static final Logger log = LoggerFactory.getLogger(Retrievals.class);

    /** What can follow the end of a run: that it woke an agent, was pinned, retrieved, cleared. */
    private static final int LAST_FRAMES = 32;

    private final TaskApi tasks;
    private final AgentApi agents;

    Retrievals(TaskApi tasks, AgentApi agents) {
        this.tasks = tasks;
        this.agents = agents;
    }

    /** Completes with the time of the first retrieval, which may be this one; null if there is no result yet. */
    Future<@Nullable Long> retrieved(SessionTask task, Actor actor) {
        if (!task.isOver()) {
            return Future.succeededFuture();
        }
        return noted(task, task.state().nextSeq())
                .compose(at -> at == null ? note(task, actor) : Future.<@Nullable Long>succeededFuture(at));
    }

    private Future<@Nullable Long> noted(SessionTask task, long belowSeq) {
        return tasks.range(task.taskId(), Math.max(0, belowSeq - LAST_FRAMES), belowSeq)
                .map(Retrievals::find);
    }

    private Future<@Nullable Long> note(SessionTask task, Actor actor) {
        return agents.retrieved(task.taskId(), actor)
                .compose(seq -> noted(task, seq + 1))
                // Another caller may note it at the same time. The result is at hand, and matters more.
                .recover(e -> noted(task, task.state().nextSeq() + 1).onSuccess(at -> {
                    if (at == null) {
                        log.warn(
                                "The retrieval of the result of {} is not recorded: {}", task.taskId(), e.getMessage());
                    }
                }));
    }

    private static @Nullable Long find(List<Frame> frames) {
        Long at = null;
        for (Frame frame : frames) {
            if (frame.body() instanceof ToolTaskStatus) {
                at = null;
            } else if (at == null
                    && frame.body() instanceof TaskNotice notice
                    && notice.code().equals(TaskNotice.RESULT_RETRIEVED)) {
                at = frame.timestampMs();
            }
        }
        return at;
    }
}
