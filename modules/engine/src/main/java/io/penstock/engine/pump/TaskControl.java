package io.penstock.engine.pump;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalAnswer;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.Signal;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskSignalled;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStdinWritten;
import io.vertx.core.Future;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What people do to a program that runs. The program is null once it has ended, and before it is there. */
final class TaskControl {

    /** Writes that wait for the program to read: when it does, their frames come all at once. */
    private static final int INPUTS_WAITING = 16;

    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private int inputsWaiting;

    TaskControl(TaskRecord record, ToolTaskSpawned spec) {
        this.record = record;
        this.spec = spec;
    }

    /** Writes to the program's terminal; completes when the frame that says so is accepted. */
    Future<Void> stdin(@Nullable RunningProcess program, byte[] input, Actor actor) {
        return control(program, running -> {
            requireTerminal("stdin");
            if (input.length == 0 || input.length > Limits.STDIN_BYTES) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "One write to stdin has 1 to " + Limits.STDIN_BYTES + " bytes, this one has " + input.length);
            }
            if (inputsWaiting >= INPUTS_WAITING) {
                throw new InputRefused(
                        InputRefused.Reason.FULL,
                        "The program does not read its input: " + inputsWaiting
                                + " writes wait for it already. Try again when it has read.");
            }
            // Asked before the write: the program may change it in answer to what it reads.
            String shown = running.echoes() ? Base64.getEncoder().encodeToString(input) : null;
            inputsWaiting++;
            return running.write(input)
                    .onComplete(taken -> inputsWaiting--)
                    .compose(v -> record.write(new ToolTaskStdinWritten(input.length, shown, actor)));
        });
    }

    Future<Void> resize(@Nullable RunningProcess program, TerminalSize size, Actor actor) {
        return control(program, running -> {
            requireTerminal("resize");
            running.resize(size);
            return record.write(new ToolTaskResized(size.rows(), size.cols(), actor));
        });
    }

    Future<Void> signal(@Nullable RunningProcess program, String name, Actor actor) {
        return control(program, running -> {
            requireTerminal("signal");
            if (running.signal(Signal.parse(name).number()) != SignalAnswer.DELIVERED) {
                throw notReady("has nobody left to signal");
            }
            return record.write(new ToolTaskSignalled(name, actor));
        });
    }

    private interface Operation {
        Future<?> on(RunningProcess running);
    }

    /**
     * Drained before, applied, then recorded; refused before anything is done where it could not be recorded. Input that waits for
     * the program to read it keeps no other operation waiting.
     */
    private Future<Void> control(@Nullable RunningProcess running, Operation operation) {
        if (running == null || !record.reached().phase().isLive()) {
            Phase phase = record.reached().phase();
            return Future.failedFuture(notReady(phase.isLive() ? "is ending" : "is " + phase.wireName()));
        }
        Throwable broken = record.broken();
        if (broken != null) {
            return Future.failedFuture(broken);
        }
        if (record.isCrowded()) {
            return Future.failedFuture(new Failure(
                    FailureCode.LOG_BACKLOGGED,
                    "The log has no room to record this, so it was not done; try again when it has"));
        }
        running.drainNow();
        return operation.on(running).mapEmpty();
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
