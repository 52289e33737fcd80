package io.penstock.bench.rpc;

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

/** {@code ./penstock soak rpc}: hosts that send random requests and lines, in rounds with different seeds. */
@Command(
        name = "rpc",
        mixinStandardHelpOptions = true,
        description = "Sends random lines to the port for hosts of agent tasks, in rounds with different seeds.")
public final class RpcSoak implements Callable<Integer> {

    private static final long ROUND_SECONDS = 60;

    @Option(names = "--seconds", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private long seconds = 600;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers (default: random)")
    private long seed = System.nanoTime() & 0xFFFFFF;

    @Option(names = "--callers", paramLabel = "N", description = "concurrent hosts (default: ${DEFAULT-VALUE})")
    private int callers = 4;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (seconds < 1 || callers < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds and --callers must be at least 1");
        }
        System.out.println(Machine.now());
        try (LoadedServer server = LoadedServer.startForHosts()) {
            try {
                for (long left = seconds; left > 0; left -= ROUND_SECONDS) {
                    long requests = round(server, Math.min(left, ROUND_SECONDS), callers, seed);
                    System.out.println("soak rpc: seed " + seed + ", " + requests + " lines");
                    seed += callers;
                }
                return 0;
            } catch (SoakFailure | IOException e) {
                System.out.println("soak rpc: FAILED, " + e.getMessage());
                System.out.println("the last lines of the server's log:");
                server.said().forEach(System.out::println);
                return 1;
            }
        }
    }

    /** Returns the number of lines that were sent. */
    static long round(LoadedServer server, long seconds, int callers, long seed)
            throws IOException, InterruptedException {
        var fuzz = new RpcFuzz(server);
        long requests = fuzz.run(seconds, callers, seed);
        fuzz.checkAlive();
        return requests;
    }
}
