package io.penstock.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A measurement whose arguments are the size of a run and the number of rounds. */
@Command(mixinStandardHelpOptions = true)
final class CountsCommand implements Callable<Integer> {

    interface Measurement {
        void run(int count, int rounds) throws Exception;
    }

    private final Measurement measurement;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "N",
            description = "frames or tasks of a run (default: ${DEFAULT-VALUE})")
    private int count;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ROUNDS", description = "default: ${DEFAULT-VALUE}")
    private int rounds;

    CountsCommand(int count, int rounds, Measurement measurement) {
        this.count = count;
        this.rounds = rounds;
        this.measurement = measurement;
    }

    @Override
    public Integer call() throws Exception {
        measurement.run(count, rounds);
        return 0;
    }
}
