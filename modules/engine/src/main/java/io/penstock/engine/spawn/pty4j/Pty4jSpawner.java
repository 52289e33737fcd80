package io.penstock.engine.spawn.pty4j;

import com.pty4j.PtyProcessBuilder;
import io.penstock.engine.spawn.ProgramFile;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnFailure.Reason;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.linux.libc.DescriptorLimit;
import io.penstock.frames.Containment;
import io.penstock.frames.ExecutionMode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * Starts programs with pty4j, and with the JVM in pipes mode. It runs where the native spawner does not, but does less:
 * each program needs threads; in pipes mode it stays in the server's process group; processes that it starts are found only while their
 * parents live, and their output to a pipe after the program's exit is lost; a death by signal looks like an exit; echo is known only
 * where the native spawner would work, and elsewhere no typed input counts as echoed; whether a program with another user's rights waits
 * for input is unknown; and the program's own name ({@code argv[0]}) is its whole path.
 */
public final class Pty4jSpawner implements Spawner {
    @Override
    public RunningProcess spawn(SpawnRequest request) throws SpawnFailure {
        Path program = ProgramFile.of(request);
        Optional<SpawnFailure> wrong = ProgramFile.whyNot(program, request.cwd());
        if (wrong.isPresent()) {
            throw wrong.get(); // pty4j would report it only later, as an exit
        }
        List<String> command = new ArrayList<>(request.command());
        command.set(0, program.toString());
        try {
            Process process =
                    request.mode() == ExecutionMode.PTY ? onTerminal(command, request) : byPipes(command, request);
            DescriptorLimit.restoreOriginal(process.pid());
            return new ThreadedProcess(process, request);
        } catch (IOException e) {
            throw ProgramFile.cannotExecute(Reason.OTHER, program, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Containment containment() {
        return Containment.DESCENDANTS;
    }

    private static Process onTerminal(List<String> command, SpawnRequest request) throws IOException {
        return new PtyProcessBuilder(command.toArray(String[]::new))
                .setEnvironment(new HashMap<>(request.environment()))
                .setDirectory(request.cwd().toString())
                .setInitialRows(request.size().rows())
                .setInitialColumns(request.size().cols())
                // Without it, the last output of a program that ends at once is sometimes lost.
                .setUnixOpenTtyToPreserveOutputAfterTermination(true)
                .start();
    }

    private static Process byPipes(List<String> command, SpawnRequest request) throws IOException {
        var builder = new ProcessBuilder(command).directory(request.cwd().toFile());
        builder.environment().clear();
        builder.environment().putAll(request.environment());
        if (!request.input()) {
            builder.redirectInput(new File("/dev/null"));
        }
        return builder.start();
    }
}
