package io.penstock.engine.spawn;

import io.penstock.frames.ExecutionMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program to start.
 *
 * @param command the program and its arguments; without a slash it is looked for in the PATH of {@code environment}
 * @param environment all of it: nothing is inherited
 * @param cwd absolute
 * @param input whether a program in pipes mode can be written to; if not, it reads the end of input at once. A terminal always can
 * @param size of the terminal; ignored in pipes mode
 */
public record SpawnRequest(
        List<String> command,
        Map<String, String> environment,
        Path cwd,
        ExecutionMode mode,
        boolean input,
        TerminalSize size) {

    /**
     * A variable by which all that a program starts is known as its: whoever asks puts there what tells it from all others, and
     * children inherit it.
     */
    public static final String MARK = "PENSTOCK_TASK_ID";

    public SpawnRequest {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        input = input || mode == ExecutionMode.PTY;
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw new IllegalArgumentException("A command begins with the name of a program, but it is empty.");
        }
        command.forEach(word -> requireNoNul("The command's word", word));
        environment.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException(
                        "A name in the environment is not empty and has no '=', unlike \"" + name + "\"");
            }
            requireNoNul("The environment's name", name);
            // The value may be a secret, so the message has only the name.
            if (value.indexOf(0) >= 0) {
                throw new IllegalArgumentException("The environment's value of " + name + " contains a NUL character.");
            }
        });
        if (!cwd.isAbsolute()) {
            throw new IllegalArgumentException("A working directory is an absolute path, not " + cwd);
        }
    }

    public static SpawnRequest pipes(List<String> command, Map<String, String> environment, Path cwd) {
        return new SpawnRequest(command, environment, cwd, ExecutionMode.PIPES, false, TerminalSize.USUAL);
    }

    public static SpawnRequest terminal(
            List<String> command, Map<String, String> environment, Path cwd, TerminalSize size) {
        return new SpawnRequest(command, environment, cwd, ExecutionMode.PTY, true, size);
    }

    public SpawnRequest withInput() {
        return new SpawnRequest(command, environment, cwd, mode, true, size);
    }

    private static void requireNoNul(String what, String text) {
        if (text.indexOf(0) >= 0) {
            throw new IllegalArgumentException(what + " \"" + text.replace("\0", "\\0")
                    + "\" contains a NUL character, which no program can be given.");
        }
    }
}
