package io.penstock.engine.host;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.AgentApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskAgentOpened;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that this server has opened, followed to the end of its run: new hosts begin at its place, and its session file is replaced after each
 * turn. Lives on the context of all hosts.
 */
final class OpenTask {

    private static final Logger log = LoggerFactory.getLogger(OpenTask.class);

    private final AgentApi agents;
    private final String name;
    private final String taskId;
    private final FrameFollower follower;
    private final HostEvents events;
    private final Consumer<OpenTask> whenEnded;
    private TaskState state;
    private Future<Void> written = Future.succeededFuture();

    /**
     * @param state before the run's first frame
     * @param follower of the frames from there on
     */
    OpenTask(
            AgentApi agents,
            String name,
            String taskId,
            TaskState state,
            FrameFollower follower,
            Consumer<OpenTask> whenEnded) {
        this.agents = agents;
        this.name = name;
        this.taskId = taskId;
        this.state = state;
        this.follower = follower;
        this.events = new HostEvents(name);
        this.whenEnded = whenEnded;
        follower.exceptionHandler(
                e -> log.warn("The session file of {} is not kept up to date: {}", name, e.getMessage()));
        follower.handler(this::next);
    }

    static String sessionFile(String name) {
        return "sessions/" + name + "/session.json";
    }

    private void next(Frame frame) {
        var unused = events.after(frame);
        state = state.after(frame);
        boolean ended = frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.ENDED;
        if (ended || frame.body() instanceof TaskAgentOpened || frame.body() instanceof TaskTurnSettled) {
            write(state);
        }
        if (ended) {
            follower.cancel();
            whenEnded.accept(this);
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
        written = written.compose(before -> agents.replaceFile(sessionFile(name), session.encodePrettily() + "\n"))
                .otherwise(e -> {
                    log.warn("The session file of {} is not written: {}", name, e.getMessage());
                    return null;
                });
    }

    String name() {
        return name;
    }

    String taskId() {
        return taskId;
    }

    TaskState state() {
        return state;
    }

    /** The frame from which a new host gets events. */
    long nextSeq() {
        return state.nextSeq();
    }

    /** The events from there on. */
    HostEvents events() {
        return events.copy();
    }

    void close() {
        follower.cancel();
    }
}
