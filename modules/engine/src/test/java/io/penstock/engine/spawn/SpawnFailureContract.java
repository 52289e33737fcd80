package io.penstock.engine.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.SpawnFailure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that cannot be started is refused at once, with a sentence that says why. */
abstract class SpawnFailureContract extends SpawnerTestBed {
    @Test
    void missingCommandNamesThePath() {
        refused(
                Reason.COMMAND_NOT_FOUND,
                "command not found: no-such-program is in no directory of PATH /usr/local/bin:/usr/bin:/bin",
                pipes("no-such-program"));
        refused(
                Reason.COMMAND_NOT_FOUND,
                "cannot execute /no/such/program: no such file",
                terminal("/no/such/program"));
    }

    @Test
    void fileWithoutTheRightToExecuteIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("plain"), "#!/bin/sh\n");
        refused(
                Reason.NOT_EXECUTABLE,
                "cannot execute " + file + ": permission denied: it is not executable",
                pipes(file.toString()));
    }

    @Test
    void directoryIsRefused() {
        refused(Reason.NOT_EXECUTABLE, "cannot execute " + folder + ": it is a directory", pipes(folder.toString()));
    }

    @Test
    void missingInterpreterIsNamed() throws IOException {
        Path script = Files.writeString(folder.resolve("script"), "#!/no/such/shell -e\n");
        assertTrue(script.toFile().setExecutable(true));
        refused(
                Reason.INTERPRETER_NOT_FOUND,
                "cannot execute " + script
                        + ": its first line names the interpreter /no/such/shell, which does not exist or is not executable",
                pipes(script.toString()));
    }

    @Test
    void badWorkingDirectoryIsReportedAsSuch() throws IOException {
        Path missing = folder.resolve("missing");
        refused(
                Reason.BAD_WORKING_DIRECTORY,
                "working directory " + missing + " does not exist",
                SpawnRequest.pipes(List.of("/bin/true"), ENVIRONMENT, missing));
        Path file = Files.createFile(folder.resolve("file"));
        refused(
                Reason.BAD_WORKING_DIRECTORY,
                "working directory " + file + " is not a directory",
                SpawnRequest.terminal(List.of("/bin/true"), ENVIRONMENT, file, TerminalSize.DEFAULT));
    }

    void refused(Reason reason, String message, SpawnRequest request) {
        var failure = assertThrows(SpawnFailure.class, () -> spawner().spawn(request));
        assertEquals(message, failure.getMessage());
        assertEquals(reason, failure.reason());
    }
}
