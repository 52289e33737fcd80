package io.penstock.engine.spawn;

import io.penstock.frames.ExecutionMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program to start.
 *
 * @param command the program and its arguments; a program without a slash is searched in the PATH of {@code environment}
 * @param environment the complete environment: nothing is inherited
 * @param cwd absolute
 * @param input whether a program in pipes mode has an input; if not, it reads end of file at once. A terminal always has one
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
     * The variable that marks the processes of a program: the caller sets it to a unique value, and children inherit it.
     */
    public static final String MARK = "PENSTOCK_TASK_ID";

    public SpawnRequest {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        input = input || mode == ExecutionMode.PTY;
        if (command.isEmpty() || command.getFirst().isEmpty()) {
            throw new IllegalArgumentException("The command's first word, the program, is empty.");
        }
        command.forEach(word -> requireNoNul("The command's word", word));
        environment.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException(
                        "A name in the environment must not be empty or contain '=': \"" + name + "\"");
            }
            requireNoNul("The environment's name", name);
            // The value may be a secret, so the message contains only the name.
            if (value.indexOf(0) >= 0) {
                throw new IllegalArgumentException("The environment's value of " + name + " contains a NUL character.");
            }
        });
        if (!cwd.isAbsolute()) {
            throw new IllegalArgumentException("The working directory must be an absolute path, not " + cwd);
        }
    }

    public static SpawnRequest pipes(List<String> command, Map<String, String> environment, Path cwd) {
        return new SpawnRequest(command, environment, cwd, ExecutionMode.PIPES, false, TerminalSize.DEFAULT);
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
