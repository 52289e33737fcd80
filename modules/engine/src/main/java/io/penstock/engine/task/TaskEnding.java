package io.penstock.engine.task;

import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.LogEnd;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.RunState;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskCancelled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells how a task ended: what of it is still alive, its sealed outputs, whether a stop was carried out, and last the status that
 * nothing follows.
 */
final class TaskEnding {

    private static final Logger log = LoggerFactory.getLogger(TaskEnding.class);

    /** Who hides from one pursuit of several seconds is found by the next, or cannot be killed. */
    private static final int TRIES_TO_KILL = 3;

    private final Vertx vertx;
    private final TaskRecord record;
    private final TaskOutput output;
    private final @Nullable RunningProcess program;

    TaskEnding(Vertx vertx, TaskRecord record, TaskOutput output, @Nullable RunningProcess program) {
        this.vertx = vertx;
        this.record = record;
        this.output = output;
        this.program = program;
    }

    Future<TaskState> failed(String why) {
        return record(Ending.failed(), TaskSentences.fitting(why), Cause.EXEC_ERROR, Actor.SERVER);
    }

    /** Somebody who was asked said no. */
    Future<TaskState> denied(String why, Actor by) {
        return record(Ending.failed(), TaskSentences.fitting(why), Cause.POLICY, by);
    }

    /** It was stopped before anything was started. */
    Future<TaskState> neverStarted() {
        ToolTaskCancelRequested stop = record.reached().run().stop();
        return record(
                Ending.failed(),
                TaskSentences.neverStarted(stop == null ? null : stop.reason()),
                Cause.REQUEST,
                Actor.SERVER);
    }

    /** @param error what people should know of how it ended, else null */
    Future<TaskState> exited(ProcessExit how, @Nullable String error) {
        boolean stopped = record.reached().phase() == Phase.STOPPING;
        return survivors(stopped).compose(alive -> {
            if (!alive.isEmpty()) {
                record.write(new TaskNotice(
                        "still_alive", "What the task started and is still alive: " + TaskSentences.names(alive)));
            }
            return switch (how) {
                case ProcessExit.Exited exit -> record(ending(exit.code(), null), error, Cause.EXIT, Actor.REAPER);
                case ProcessExit.Killed kill ->
                    record(ending(128 + kill.signal(), kill.signal()), error, Cause.SIGNAL, Actor.REAPER);
                case ProcessExit.Unseen unseen ->
                    record(Ending.lost(), "lost: " + unseen.why(), Cause.EXIT, Actor.REAPER);
            };
        });
    }

    /** After a stop, whatever is left of the task is killed first. */
    private Future<List<Survivor>> survivors(boolean killFirst) {
        RunningProcess gone = program;
        // Nearly always; to ask it here saves the way to a worker and back.
        if (gone == null || gone.leavesNoProcess()) {
            return Future.succeededFuture(List.of());
        }
        // In no order: the end of a bomb takes its time, and others shall not wait for it.
        return vertx.executeBlocking(
                        () -> {
                            if (!killFirst) {
                                return gone.survivors();
                            }
                            gone.killAll();
                            List<Survivor> alive = gone.survivors();
                            for (int tries = 1; !alive.isEmpty() && tries < TRIES_TO_KILL; tries++) {
                                gone.killAll();
                                alive = gone.survivors();
                            }
                            return alive;
                        },
                        false)
                .map(alive -> alive == null ? List.<Survivor>of() : alive)
                .otherwise(e -> {
                    log.error("What is left of {} cannot be found out", record.stream(), e);
                    return List.of();
                });
    }

    private Ending ending(int code, @Nullable Integer signal) {
        ToolTaskCancelRequested stop = record.reached().run().stop();
        if (stop == null) {
            return signal == null ? Ending.exit(code) : Ending.killedBy(signal);
        }
        Outcome outcome = stop.cause() == Cause.TIMEOUT ? Outcome.TIMED_OUT : Outcome.CANCELLED;
        return new Ending(outcome, code, signal);
    }

    private Future<TaskState> record(Ending given, @Nullable String error, Cause cause, Actor actor) {
        return output.seal(record).compose(logs -> {
            RunState run = record.reached().run();
            ToolTaskCancelRequested stop = run.stop();
            Ending ending = given;
            if (stop != null && given.outcome() != Outcome.LOST) {
                long began = run.startedAtMs() == null ? record.now() : run.startedAtMs();
                record.write(new ToolTaskCancelled(stop.reason(), Math.max(0, record.now() - began)));
                ending = given.outcome() == Outcome.FAILED
                        ? new Ending(stop.cause() == Cause.TIMEOUT ? Outcome.TIMED_OUT : Outcome.CANCELLED, null, null)
                        : given;
            }
            return record.write(status(ending, logs, error, stop == null ? cause : stop.cause(), actor))
                    .map(last -> record.accepted());
        });
    }

    private ToolTaskStatus status(Ending ending, List<LogEnd> logs, @Nullable String error, Cause cause, Actor actor) {
        return new ToolTaskStatus(
                Phase.ENDED,
                ending,
                record.reached().run().startedAtMs(),
                record.now(),
                record.reached().spec() == null ? List.of() : logs,
                error,
                null,
                cause,
                actor);
    }
}
