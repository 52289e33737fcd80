package io.penstock.bench.soak;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./penstock soak memory}. */
@Command(
        name = "memory",
        mixinStandardHelpOptions = true,
        description = "Requests more from a server with a small heap than the heap could hold.")
public final class MemorySoakCommand implements Callable<Integer> {

    @Option(names = "--rounds", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int rounds = 3;

    @Option(names = "--terminals", paramLabel = "N", description = "large terminals (default: ${DEFAULT-VALUE})")
    private int terminals = 12;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            new MemorySoak(System.out, rounds, terminals).run();
            return 0;
        } catch (SoakFailure e) {
            System.out.println("soak memory: FAILED, " + e.getMessage());
            return 1;
        }
    }
}
