package io.penstock.engine.bus;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import org.jspecify.annotations.Nullable;

/** Something to be done with a task, and who wants it. */
public sealed interface TaskCommand {

    String taskId();

    Actor actor();

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

    /** Gives its terminal another size. */
    record Resize(String taskId, TerminalSize size, Actor actor) implements TaskCommand {}

    /** Sends it a signal, by its name. */
    record Signal(String taskId, String signal, Actor actor) implements TaskCommand {}

    /** Ends it: TERM, some seconds, KILL. */
    record Cancel(String taskId, @Nullable String reason, Actor actor) implements TaskCommand {}
}
