package io.penstock.engine.task;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SignalResult;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.task.matching.OutputMatching;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.RecordInput;
import io.penstock.frames.Signal;
import io.penstock.frames.TaskStdinClosed;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskSignalled;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStdinWritten;
import io.vertx.core.Future;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Operations on a running program. The program is null before its start and after its end. */
final class TaskControl {

    /** Writes that may wait until the program reads: then their frames come all at once. */
    private static final int INPUTS_WAITING = 16;

    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final TaskGate gate;
    private final InputWatch watch;
    private final OutputMatching matching;
    private int inputsWaiting;
    private boolean inputClosed;

    TaskControl(TaskRecord record, ToolTaskSpawned spec, TaskGate gate, InputWatch watch, OutputMatching matching) {
        this.record = record;
        this.spec = spec;
        this.gate = gate;
        this.watch = watch;
        this.matching = matching;
    }

    /** Writes to the program's terminal or pipe; completes with the seq of the recording frame, when that is accepted. */
    Future<Long> stdin(@Nullable RunningProcess program, byte[] input, Actor actor) {
        RunningProcess running = ready(program);
        requireInput();
        requireRoom(input);
        return control(Operation.STDIN, actor, running, () -> typed(running, input, actor));
    }

    /** Writes these bytes, unless they are none, then closes the input of a program on pipes; completes like {@link #stdin}. */
    Future<Long> closeStdin(@Nullable RunningProcess program, byte[] last, Actor actor) {
        RunningProcess running = ready(program);
        requireInput();
        if (spec.executionMode() == ExecutionMode.PTY) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "A terminal's input cannot be closed; write ^D (0x04) at the start of a line instead");
        }
        if (last.length > 0) {
            requireRoom(last);
        }
        return control(Operation.STDIN, actor, running, () -> {
            // Policy may have taken its time.
            requireOpenInput();
            Future<?> written = last.length == 0 ? Future.succeededFuture() : typed(running, last, actor);
            inputClosed = true;
            return written.compose(done -> running.closeInput())
                    .compose(closed -> record.write(new TaskStdinClosed(actor)))
                    .onFailure(refused -> inputClosed = false);
        });
    }

    private void requireRoom(byte[] input) {
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
    }

    private Future<Frame> typed(RunningProcess running, byte[] input, Actor actor) {
        requireOpenInput();
        inputsWaiting++;
        return running.write(input).onComplete(taken -> inputsWaiting--).compose(shown -> {
            String bytes = isRecorded(shown) ? Base64.getEncoder().encodeToString(input) : null;
            Future<Frame> recorded = record.write(new ToolTaskStdinWritten(input.length, bytes, actor));
            watch.typed();
            return recorded;
        });
    }

    /** @param shown whether the terminal echoes it; nothing is hidden on pipes */
    private boolean isRecorded(boolean shown) {
        return switch (Objects.requireNonNullElse(spec.recordInput(), RecordInput.DEFAULT)) {
            case DEFAULT -> shown || spec.executionMode() == ExecutionMode.PIPES;
            case NONE -> false;
            case ALL -> true;
        };
    }

    Future<Long> resize(@Nullable RunningProcess program, TerminalSize size, Actor actor) {
        RunningProcess running = ready(program);
        requireTerminal("resize");
        return control(Operation.RESIZE, actor, running, () -> {
            running.resize(size);
            watch.moved();
            return record.write(new ToolTaskResized(size.rows(), size.cols(), actor));
        });
    }

    /** Sends a signal to the program's process group, with a terminal or without; completes like {@link #stdin}. */
    Future<Long> signal(@Nullable RunningProcess program, String name, Actor actor) {
        RunningProcess running = ready(program);
        Signal signal = Signal.parse(name);
        return control(Operation.SIGNAL, actor, running, () -> {
            if (running.signal(signal.number()) != SignalResult.DELIVERED) {
                throw new TaskOver("The task " + record.stream().id() + " has no process left to signal");
            }
            watch.moved();
            return record.write(new ToolTaskSignalled(name, actor));
        });
    }

    private interface Applied {
        Future<Frame> andRecorded();
    }

    /**
     * Asks policy, drains the output unless its watchers are behind, applies, then records. Input that the program does not read yet delays
     * no other operation.
     */
    private Future<Long> control(Operation operation, Actor actor, RunningProcess running, Applied applied) {
        return gate.ask(operation, actor, () -> {
            if (!matching.isBehind()) {
                running.drainNow();
            }
            return applied.andRecorded().map(Frame::seq);
        });
    }

    /** The program, if it is there and an operation can be recorded; throws otherwise, before anything is applied. */
    private RunningProcess ready(@Nullable RunningProcess running) {
        if (running == null || !record.reached().phase().isLive()) {
            throw notThere();
        }
        Throwable broken = record.broken();
        if (broken != null) {
            throw broken instanceof Failure failure
                    ? failure
                    : new Failure(FailureCode.LOG_UNAVAILABLE, "Nothing more can be recorded of this task", broken);
        }
        if (record.isCrowded()) {
            throw record.noRoom();
        }
        return running;
    }

    private void requireInput() {
        if (spec.agent() != null) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + record.stream().id() + " is an agent, which takes prompts instead of input");
        }
        if (spec.executionMode() != ExecutionMode.PTY && !spec.stdinOpen()) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "stdin needs a task with execution_mode pty, or one with stdin \"open\"; this one has pipes and"
                            + " stdin \"closed\"");
        }
        requireOpenInput();
    }

    private void requireOpenInput() {
        if (inputClosed) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The input of the task " + record.stream().id()
                            + " was closed; nothing more can be written, and it is closed only once");
        }
    }

    private void requireTerminal(String operation) {
        if (spec.executionMode() != ExecutionMode.PTY) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    operation + " needs a task with execution_mode pty; this one has "
                            + spec.executionMode().wireName());
        }
    }

    /** The program has not started yet, or has ended. */
    private Failure notThere() {
        Phase phase = record.reached().phase();
        String task = "The task " + record.stream().id();
        boolean waits = record.reached().run().startedAtMs() == null && phase != Phase.STOPPING && phase != Phase.ENDED;
        return waits
                ? new Failure(FailureCode.TASK_NOT_READY, task + " is " + phase.wireName())
                : new TaskOver(task + (phase == Phase.ENDED ? " is ended" : " is ending"));
    }
}
