package io.penstock.engine.pump;

import io.penstock.engine.spawn.ProcessExit;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalAnswer;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.Signal;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskSignalled;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.ToolTaskStdinWritten;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task while it lives: the only writer of its stream, and the owner of its program. Everything happens on its shard's context,
 * one thing after the other, so that frames are in the order in which things were.
 */
final class TaskStream implements RunningProcess.Listener {

    /** Between TERM and KILL. */
    private static final long GRACE_MS = 5_000;

    /** How long output is still read after the program has left, if another holds its pipe open. */
    private static final long DRAIN_MS = 1_000;

    private final Vertx vertx;
    private final Context context;
    private final TaskRecord record;
    private final TaskOutput output;
    private final ToolTaskSpawned spec;
    private final Promise<TaskState> ended = Promise.promise();
    private final Set<Channel> open;

    private @Nullable RunningProcess process;
    private @Nullable ProcessExit exit;
    private long timer = -1;
    private long drainTimer = -1;
    private boolean finishing;

    /** Control operations are carried out one after the other. */
    private Future<Void> controls = Future.succeededFuture();

    TaskStream(Vertx vertx, TaskRecord record, TaskOutput output, ToolTaskSpawned spec) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.record = record;
        this.output = output;
        this.spec = spec;
        this.open = EnumSet.copyOf(spec.executionMode().channels());
        record.whenNoneWait(this::goOn);
    }

    TaskState state() {
        return record.accepted();
    }

    /** Completes when the last frame is accepted. */
    Future<TaskState> ended() {
        return ended.future();
    }

    /** The program has started: from here on what it does is recorded. */
    void started(RunningProcess started, long timeoutMs) {
        process = started;
        if (record.reached().phase() == Phase.STOPPING) {
            // Cancelled while it was being started: it has not done anything anybody has seen.
            started.attach(context, this);
            stopProgram(started);
            return;
        }
        record.write(ToolTaskStatus.running(record.now()));
        started.attach(context, this);
        timer = vertx.setTimer(timeoutMs, t -> cancel("timeout", Cause.TIMEOUT, Actor.SERVER));
    }

    /** The program could not be started. */
    void notStarted(String why) {
        new TaskEnding(vertx, record, output, null).failed(why).onComplete(this::over);
    }

    @Override
    public void output(Channel channel, ByteBuffer bytes) {
        output.write(channel, bytes, record);
        RunningProcess running = process;
        if (running == null) {
            return;
        }
        if (record.broken() != null) {
            // What cannot be recorded must not go on: the next start of the server ends the task as lost.
            running.killAll();
        } else if (record.isHeldBack()) {
            running.pause();
        }
    }

    private void goOn() {
        RunningProcess running = process;
        if (running != null && !finishing) {
            running.resume();
        }
    }

    @Override
    public void closed(Channel channel) {
        open.remove(channel);
        if (open.isEmpty() && exit != null) {
            finish();
        }
    }

    @Override
    public void exited(ProcessExit how) {
        exit = how;
        if (open.isEmpty()) {
            finish();
            return;
        }
        drainTimer = vertx.setTimer(DRAIN_MS, t -> {
            RunningProcess running = process;
            if (running != null && !finishing) {
                running.drainNow();
                record.write(new TaskNotice(
                        "pipe_still_held",
                        "The program has ended, but another process that it started still holds its output open; what"
                                + " that one writes from here on is not read"));
                finish();
            }
        });
    }

    private void finish() {
        RunningProcess gone = process;
        ProcessExit how = exit;
        if (finishing || gone == null || how == null) {
            return;
        }
        finishing = true;
        vertx.cancelTimer(timer);
        vertx.cancelTimer(drainTimer);
        new TaskEnding(vertx, record, output, gone).exited(how).onComplete(this::over);
    }

    private void over(AsyncResult<TaskState> last) {
        record.close();
        RunningProcess gone = process;
        if (gone != null) {
            gone.close();
        }
        ended.handle(last);
    }

    /** Writes to the program's terminal; completes when the frame that says so is accepted. */
    Future<Void> stdin(byte[] input, Actor actor) {
        return control(running -> {
            requireTerminal("stdin");
            if (input.length == 0 || input.length > Limits.STDIN_BYTES) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "One write to stdin has 1 to " + Limits.STDIN_BYTES + " bytes, this one has " + input.length);
            }
            // Asked before the write: the program may change it in answer to what it reads.
            String shown = running.echoes() ? Base64.getEncoder().encodeToString(input) : null;
            return running.write(input)
                    .compose(v -> record.write(new ToolTaskStdinWritten(input.length, shown, actor)));
        });
    }

    Future<Void> resize(TerminalSize size, Actor actor) {
        return control(running -> {
            requireTerminal("resize");
            running.resize(size);
            return record.write(new ToolTaskResized(size.rows(), size.cols(), actor));
        });
    }

    Future<Void> signal(String name, Actor actor) {
        return control(running -> {
            requireTerminal("signal");
            if (running.signal(Signal.parse(name).number()) != SignalAnswer.DELIVERED) {
                throw notReady("has nobody left to signal");
            }
            return record.write(new ToolTaskSignalled(name, actor));
        });
    }

    /** Stops the task: TERM, some seconds of grace, KILL. Asking again changes nothing. */
    Future<Void> cancel(@Nullable String reason, Cause cause, Actor actor) {
        Phase phase = record.reached().phase();
        if (phase == Phase.STOPPING || phase == Phase.ENDED || exit != null) {
            return Future.succeededFuture();
        }
        RunningProcess running = process;
        if (running != null) {
            running.drainNow();
        }
        Future<Void> recorded =
                record.write(new ToolTaskCancelRequested(reason, cause, actor)).mapEmpty();
        if (running != null) {
            stopProgram(running);
        }
        return recorded;
    }

    private void stopProgram(RunningProcess running) {
        running.signal(Signal.TERM.number());
        // A stopped program would not see the TERM.
        running.signal(Signal.CONT.number());
        running.resume();
        vertx.setTimer(GRACE_MS, t -> {
            if (exit == null) {
                vertx.executeBlocking(() -> {
                    running.killAll();
                    return null;
                });
            }
        });
    }

    private interface Operation {
        Future<?> on(RunningProcess running);
    }

    /** Drained before, applied, then recorded; after those that were asked for earlier. */
    private Future<Void> control(Operation operation) {
        Future<Void> done = controls.transform(before -> {
            RunningProcess running = process;
            if (running == null || exit != null || !record.reached().phase().isLive()) {
                return Future.failedFuture(
                        notReady("is " + record.reached().phase().wireName()));
            }
            try {
                running.drainNow();
                return operation.on(running).mapEmpty();
            } catch (Failure e) {
                return Future.failedFuture(e);
            } catch (IllegalArgumentException e) {
                return Future.failedFuture(new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e));
            }
        });
        controls = done.otherwiseEmpty();
        return done;
    }

    private void requireTerminal(String operation) {
        if (spec.executionMode() != ExecutionMode.PTY) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    operation + " needs a task with execution_mode pty; this one has "
                            + spec.executionMode().wireName());
        }
    }

    private Failure notReady(String how) {
        return new Failure(
                FailureCode.TASK_NOT_READY, "The task " + record.stream().id() + " " + how);
    }
}
