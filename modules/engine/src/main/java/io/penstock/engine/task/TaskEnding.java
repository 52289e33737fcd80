package io.penstock.engine.task;

import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.task.agent.AgentEnd;
import io.penstock.engine.task.matching.OutputMatching;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
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

/** Records how a task ended: surviving processes, sealed outputs, whether it was stopped, and last the terminal status. */
final class TaskEnding {

    private static final Logger log = LoggerFactory.getLogger(TaskEnding.class);

    /** A process that survives one kill loop of several seconds is caught by the next, or cannot be killed. */
    private static final int KILL_ATTEMPTS = 3;

    private final Vertx vertx;
    private final TaskRecord record;
    private final TaskOutput output;
    private final OutputMatching matching;
    private final @Nullable RunningProcess program;

    TaskEnding(
            Vertx vertx,
            TaskRecord record,
            TaskOutput output,
            OutputMatching matching,
            @Nullable RunningProcess program) {
        this.vertx = vertx;
        this.record = record;
        this.output = output;
        this.matching = matching;
        this.program = program;
    }

    Future<TaskState> failed(String why) {
        return record(Ending.failed(), TaskSentences.fitting(why), Cause.EXEC_ERROR, Actor.SERVER);
    }

    /** The answer to policy's question was no. */
    Future<TaskState> denied(String why, Actor by) {
        return record(Ending.failed(), TaskSentences.fitting(why), Cause.POLICY, by);
    }

    /** The task was stopped before its program was started. */
    Future<TaskState> neverStarted() {
        RunState run = record.reached().run();
        ToolTaskCancelRequested stop = run.stop();
        return record(
                Ending.failed(),
                TaskSentences.neverStarted(run.number(), stop == null ? null : stop.reason()),
                Cause.REQUEST,
                Actor.SERVER);
    }

    /**
     * @param error a sentence for people about the end, or null
     * @param agent how the conversation of an agent ended; null for a command
     */
    Future<TaskState> exited(ProcessExit how, @Nullable String error, @Nullable AgentEnd agent) {
        boolean stopped = record.reached().phase() == Phase.STOPPING;
        return survivors(stopped || agent != null).compose(alive -> {
            if (!alive.isEmpty()) {
                record.write(new TaskNotice(
                        "still_alive", "What the task started and is still alive: " + TaskSentences.names(alive)));
            }
            if (agent != null && !stopped) {
                return record(agentEnding(how, agent), agent.error(), Cause.EXIT, Actor.REAPER);
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

    /** The conversation decides whether an agent succeeded: the server ends the program of an agent that has settled. */
    private static Ending agentEnding(ProcessExit how, AgentEnd agent) {
        Outcome outcome = agent.error() == null ? Outcome.SUCCEEDED : Outcome.FAILED;
        return switch (how) {
            case ProcessExit.Exited exit
            when outcome == Outcome.FAILED || exit.code() == 0 -> new Ending(outcome, exit.code(), null);
            case ProcessExit.Killed kill
            when outcome == Outcome.FAILED -> new Ending(outcome, 128 + kill.signal(), kill.signal());
            case ProcessExit.Exited _, ProcessExit.Killed _, ProcessExit.Unseen _ -> new Ending(outcome, null, null);
        };
    }

    /** @param killFirst whether to kill the rest of the task first: after a stop */
    private Future<List<Survivor>> survivors(boolean killFirst) {
        RunningProcess gone = program;
        // Nearly always true; asking here saves the hop to a worker.
        if (gone == null || gone.leavesNoProcess()) {
            return Future.succeededFuture(List.of());
        }
        // Unordered: a fork bomb takes time to end, and other tasks must not wait for it.
        return vertx.executeBlocking(
                        () -> {
                            if (!killFirst) {
                                return gone.survivors();
                            }
                            gone.killAll();
                            List<Survivor> alive = gone.survivors();
                            for (int attempts = 1; !alive.isEmpty() && attempts < KILL_ATTEMPTS; attempts++) {
                                gone.killAll();
                                alive = gone.survivors();
                            }
                            return alive;
                        },
                        false)
                .map(alive -> alive == null ? List.<Survivor>of() : alive)
                .otherwise(e -> {
                    log.error("The remaining processes of {} cannot be determined", record.stream(), e);
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
        return matching.end().compose(matched -> output.seal(record)).compose(logs -> {
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
