package io.penstock.server.rpc;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.AgentApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentOpened;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that this server has opened, followed to the end of its run: new connections begin at its place, and its session file is replaced after
 * each turn. Lives on the edge's context.
 */
final class OpenTask {

    private static final Logger log = LoggerFactory.getLogger(OpenTask.class);

    private final AgentApi agents;
    private final String name;
    private final String taskId;
    private final FrameFollower follower;
    private final TaskEvents events;
    private TaskState state;
    private Future<Void> written = Future.succeededFuture();

    /**
     * @param state before the run's first frame
     * @param follower of the frames from there on
     */
    OpenTask(AgentApi agents, String name, String taskId, TaskState state, FrameFollower follower) {
        this.agents = agents;
        this.name = name;
        this.taskId = taskId;
        this.state = state;
        this.follower = follower;
        this.events = new TaskEvents(name);
        follower.exceptionHandler(
                e -> log.warn("The session file of {} is not kept up to date: {}", name, e.getMessage()));
        follower.handler(this::next);
    }

    private void next(Frame frame) {
        var unused = events.after(frame);
        state = state.after(frame);
        boolean ended = state.phase() == Phase.ENDED;
        if (ended) {
            follower.cancel();
        }
        if (ended || frame.body() instanceof TaskAgentOpened || frame.body() instanceof TaskTurnSettled) {
            write(state);
        }
    }

    private void write(TaskState now) {
        JsonObject session = new JsonObject()
                .put("taskId", name)
                .put("penstockTaskId", taskId)
                .put("agentSessionId", now.agent().sessionId())
                .put("run", now.run().number())
                .put("turns", now.turns())
                .put("result", now.result());
        written = written.compose(
                        before -> agents.replaceFile(HostTasks.sessionFile(name), session.encodePrettily() + "\n"))
                .otherwise(e -> {
                    log.warn("The session file of {} is not written: {}", name, e.getMessage());
                    return null;
                });
    }

    String taskId() {
        return taskId;
    }

    /** The frame from which a new connection gets events. */
    long nextSeq() {
        return state.nextSeq();
    }

    /** The events from there on. */
    TaskEvents events() {
        return events.copy();
    }

    boolean hasEnded() {
        return state.phase() == Phase.ENDED && state.nextSeq() > 0;
    }

    void close() {
        follower.cancel();
    }
}
