package io.penstock.engine.task;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.session.LaneSlot;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task before its program is started: what it waits for, an answer or its turn, and its end if it is not started at all. */
public final class TaskStart {

    private static final Logger log = LoggerFactory.getLogger(TaskStart.class);

    private final Vertx vertx;
    private final Context context;
    private final TaskRecord record;
    private final TaskOutput output;
    private final ToolTaskSpawned spec;
    private final TaskGate gate;
    private final Handler<AsyncResult<TaskState>> over;
    private @Nullable StartGate waiting;

    /** @param over told when nothing more will come of the task */
    TaskStart(
            Vertx vertx,
            Context context,
            TaskRecord record,
            TaskOutput output,
            ToolTaskSpawned spec,
            TaskGate gate,
            Handler<AsyncResult<TaskState>> over) {
        this.vertx = vertx;
        this.context = context;
        this.record = record;
        this.output = output;
        this.spec = spec;
        this.gate = gate;
        this.over = over;
    }

    /** Records what was asked for, and what policy said to it. If that fails, nothing more will come of this task. */
    public Future<TaskState> record(Verdict verdict) {
        return record.write(spec)
                .compose(first -> record.write(verdict.frame(Operation.SPAWN, spec.actor())))
                .map(told -> record.accepted())
                .onFailure(this::cannotBeRecorded);
    }

    /** Asks somebody whether the program may be started. */
    public void ask(Verdict.Ask asked, Supplier<SpawnApproval.Next> start) {
        if (isStopped()) {
            neverStarted();
            return;
        }
        var asking = new SpawnApproval(vertx, record, spec, asked, start, this::denied);
        waiting = asking;
        asking.ask();
    }

    /** Answers what is asked about the spawn, for someone who may do that. */
    public Future<Void> answer(boolean allow, String reason, Actor actor) {
        if (!(waiting instanceof SpawnApproval asking) || !asking.isOpen()) {
            throw new TaskOver("The task " + record.stream().id() + " asks nothing; a question can be answered once");
        }
        return gate.ask(
                Operation.ANSWER,
                actor,
                () -> asking.answer(allow, reason, actor).mapEmpty());
    }

    /** Lets it wait for its turn to be started. If that cannot be recorded, nothing more will come of this task. */
    public Future<TaskState> queue(LaneSlot place, Runnable start) {
        if (isStopped()) {
            neverStarted();
            return Future.succeededFuture(record.accepted());
        }
        var queued = new QueuedStart(record, context, place, start, this::failed);
        waiting = queued;
        return queued.start().map(told -> record.accepted()).onFailure(e -> {
            queued.withdraw();
            cannotBeRecorded(e);
        });
    }

    /** If it waits for its turn, it is let go of as it is, for the next server to go on with; else this does nothing. */
    public boolean leaveQueued() {
        if (!(waiting instanceof QueuedStart queued) || !queued.isOpen()) {
            return false;
        }
        queued.withdraw();
        record.close();
        return true;
    }

    /** The stop of a task is recorded: if it waits for something, it has ended by that. */
    void stop() {
        StartGate before = waiting;
        if (before != null && before.isOpen()) {
            before.withdraw();
            neverStarted();
        }
    }

    /** The program could not be started, or not be watched. */
    public void failed(Throwable why) {
        String reason = String.valueOf(why.getMessage());
        if (!(why instanceof SpawnFailure
                || why instanceof IOException
                || why instanceof Failure
                || why instanceof IllegalStateException)) {
            log.error(
                    "Task {} could not be started, by what nobody foresaw",
                    record.stream().id(),
                    why);
            reason = "The server could not start it: " + why;
        }
        Future<TaskState> told;
        try {
            told = isStopped() ? ending().neverStarted() : ending().failed(reason);
        } catch (RuntimeException | Error e) {
            // The next start tells it; until then it takes nobody's place.
            cannotBeRecorded(e);
            return;
        }
        told.onComplete(over);
    }

    private void denied(String why, Actor by) {
        ending().denied(why, by).onComplete(over);
    }

    private void neverStarted() {
        ending().neverStarted().onComplete(over);
    }

    private TaskEnding ending() {
        return new TaskEnding(vertx, record, output, null);
    }

    /** Whether somebody has stopped it. */
    public boolean isStopped() {
        return record.reached().phase() == Phase.STOPPING;
    }

    private void cannotBeRecorded(Throwable why) {
        output.discard();
        over.handle(Future.failedFuture(why));
    }
}
