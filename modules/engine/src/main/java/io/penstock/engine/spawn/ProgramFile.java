package io.penstock.engine.spawn;

import io.penstock.engine.spawn.SpawnFailure.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the file of a request's command and checks it and the working directory. */
public final class ProgramFile {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final int FIRST_LINE_BYTES = 256;

    private ProgramFile() {}

    /** The command's file, searched in the request's own PATH, never in the server's. */
    public static Path of(SpawnRequest request) throws SpawnFailure {
        checkWorkingDirectory(request.cwd());
        String command = request.command().getFirst();
        if (command.indexOf('/') >= 0) {
            return request.cwd().resolve(command);
        }
        String path = request.environment().getOrDefault("PATH", USUAL_PATH);
        Optional<Path> notExecutable = Optional.empty();
        for (String folder : path.split(":")) {
            Path candidate = request.cwd().resolve(folder).resolve(command);
            if (Files.isRegularFile(candidate)) {
                if (Files.isExecutable(candidate)) {
                    return candidate;
                }
                notExecutable = notExecutable.or(() -> Optional.of(candidate));
            }
        }
        if (notExecutable.isPresent()) {
            throw cannotExecute(Reason.NOT_EXECUTABLE, notExecutable.get(), "permission denied: it is not executable");
        }
        throw new SpawnFailure(
                Reason.COMMAND_NOT_FOUND, "command not found: " + command + " is in no directory of PATH " + path);
    }

    /** Why this file cannot be executed, if the file shows it; the kernel's error alone does not tell. */
    public static Optional<SpawnFailure> whyNot(Path program, Path cwd) {
        try {
            checkWorkingDirectory(cwd);
        } catch (SpawnFailure e) {
            return Optional.of(e);
        }
        if (!Files.exists(program)) {
            return Optional.of(cannotExecute(Reason.COMMAND_NOT_FOUND, program, "no such file"));
        }
        if (Files.isDirectory(program)) {
            return Optional.of(cannotExecute(Reason.NOT_EXECUTABLE, program, "it is a directory"));
        }
        if (!Files.isExecutable(program)) {
            return Optional.of(
                    cannotExecute(Reason.NOT_EXECUTABLE, program, "permission denied: it is not executable"));
        }
        return interpreter(program)
                .filter(interpreter ->
                        !Files.isExecutable(cwd.resolve(interpreter)) || Files.isDirectory(cwd.resolve(interpreter)))
                .map(interpreter -> cannotExecute(
                        Reason.INTERPRETER_NOT_FOUND,
                        program,
                        "its first line names the interpreter " + interpreter
                                + ", which does not exist or is not executable"));
    }

    public static SpawnFailure cannotExecute(Reason reason, Path program, String why) {
        return new SpawnFailure(reason, "cannot execute " + program + ": " + why);
    }

    private static void checkWorkingDirectory(Path cwd) throws SpawnFailure {
        String wrong = !Files.exists(cwd)
                ? "does not exist"
                : !Files.isDirectory(cwd)
                        ? "is not a directory"
                        : !Files.isExecutable(cwd) ? "may not be entered: permission denied" : "";
        if (!wrong.isEmpty()) {
            throw new SpawnFailure(Reason.BAD_WORKING_DIRECTORY, "working directory " + cwd + " " + wrong);
        }
    }

    /** The interpreter in the {@code #!} line of a script. */
    private static Optional<String> interpreter(Path script) {
        byte[] start;
        try (InputStream in = Files.newInputStream(script)) {
            start = in.readNBytes(FIRST_LINE_BYTES);
        } catch (IOException e) {
            return Optional.empty(); // executable, but not readable
        }
        String text = new String(start, StandardCharsets.UTF_8);
        if (!text.startsWith("#!")) {
            return Optional.empty();
        }
        String[] words = text.substring(2).split("\n", 2)[0].strip().split("[ \t\r]", 2);
        return Optional.of(words[0]).filter(word -> !word.isEmpty());
    }
}
