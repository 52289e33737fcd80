package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock soak http}: random requests and WebSocket messages, in rounds with different seeds. */
@Command(
        name = "http",
        mixinStandardHelpOptions = true,
        description = "Sends random requests and WebSocket messages, in rounds with different seeds.")
public final class HttpSoak implements Callable<Integer> {

    /** Length of a round, half of it over HTTP and half over WebSockets. */
    private static final long ROUND_SECONDS = 60;

    @Option(names = "--seconds", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private long seconds = 600;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers (default: random)")
    private long seed = System.nanoTime() & 0xFFFFFF;

    @Option(names = "--callers", paramLabel = "N", description = "concurrent callers (default: ${DEFAULT-VALUE})")
    private int callers = 4;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds < 2 || callers < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds must be at least 2, --callers at least 1");
        }
        System.out.println(Machine.now());
        try (LoadedServer server = LoadedServer.start()) {
            try {
                for (long left = seconds; left > 0; left -= ROUND_SECONDS) {
                    long half = Math.max(1, Math.min(left, ROUND_SECONDS) / 2);
                    System.out.println("soak http: seed " + seed);
                    var run = new FuzzRun(server, System.out, callers, seed);
                    run.http(half);
                    run.sockets(half);
                    seed += callers;
                }
                return 0;
            } catch (SoakFailure | IOException e) {
                System.out.println("soak http: FAILED, " + e.getMessage());
                System.out.println("the last lines of the server's log:");
                server.said().forEach(System.out::println);
                return 1;
            }
        }
    }
}
