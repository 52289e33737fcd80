package io.penstock.bench.attach;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.log.Machine;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./penstock soak attach}: viewers that do not read, that reconnect repeatedly, and that are cut off while they
 * type.
 */
@Command(
        name = "attach",
        mixinStandardHelpOptions = true,
        description = "Attaches viewers that stop reading, reconnect, and are cut off while they type.")
public final class AttachSoak implements Callable<Integer> {

    @Option(names = "--rounds", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.out.println(Machine.now());
        try (LoadedServer server = LoadedServer.start(ServerMemory.OPTION)) {
            try {
                for (int round = 0; round < rounds; round++) {
                    run(server, System.out, seed + round);
                }
                return 0;
            } catch (SoakFailure | IOException e) {
                System.out.println("soak attach: FAILED, " + e.getMessage());
                System.out.println("what the server said last:");
                server.said().forEach(System.out::println);
                return 1;
            }
        }
    }

    private static void run(LoadedServer server, PrintStream out, long seed) throws IOException, InterruptedException {
        var stuck = new StuckViewers(server, 128 << 20);
        stuck.run(out, 200, 0);
        stuck.run(out, 200, 1);
        stuck.run(out, 200, 20);
        var comingBack = new ReconnectingViewers(server, seed);
        comingBack.storm(out, 100, 200);
        comingBack.cut(out, 20_000);
    }
}
