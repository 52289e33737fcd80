package io.penstock.engine.pump;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.TaskTurnStarted;
import org.jspecify.annotations.Nullable;

/** An operation on a task, with its caller. */
public sealed interface TaskCommand {

    String taskId();

    Actor actor();

    /** Answers policy's question about a spawn. */
    record Answer(String taskId, boolean allow, String reason, Actor actor) implements TaskCommand {}

    /**
     * Gives an agent input.
     *
     * @param promptId the caller's own name for the turn
     */
    record Prompt(
            String taskId,
            TaskTurnStarted.Kind kind,
            String text,
            @Nullable String promptId,
            Actor actor) implements TaskCommand {}

    /** Ends the running turn of an agent early. */
    record Interrupt(String taskId, Actor actor) implements TaskCommand {}

    /** Writes to the program's input. */
    record WriteInput(String taskId, byte[] bytes, Actor actor) implements TaskCommand {
        public WriteInput {
            bytes = bytes.clone();
        }

        @Override
        public byte[] bytes() {
            return bytes.clone();
        }
    }

    /**
     * Ends the input of a program on pipes, after everything that was written.
     *
     * @param last written before, as a write of its own; empty for none
     */
    record CloseInput(String taskId, byte[] last, Actor actor) implements TaskCommand {
        public CloseInput {
            last = last.clone();
        }

        @Override
        public byte[] last() {
            return last.clone();
        }
    }

    /** Resizes the task's terminal. */
    record Resize(String taskId, TerminalSize size, Actor actor) implements TaskCommand {}

    /** Sends a signal, given by name, to the program. */
    record Signal(String taskId, String signal, Actor actor) implements TaskCommand {}

    /** Cancels the task: TERM, and KILL some seconds later. */
    record Cancel(String taskId, @Nullable String reason, Actor actor) implements TaskCommand {}

    /** Keeps the task however old it becomes, or no longer. Also for a task that has ended. */
    record Pin(String taskId, boolean pinned, Actor actor) implements TaskCommand {}

    /**
     * Adds a watcher to the task's output.
     *
     * @param fromSeq the first frame whose output to search too; null for only the output from now on
     */
    record Watch(String taskId, WatchSpec spec, @Nullable Long fromSeq, Actor actor) implements TaskCommand {}
}
