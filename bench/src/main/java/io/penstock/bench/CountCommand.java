package io.penstock.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A measurement whose only argument is a number of rounds or tasks. */
@Command(mixinStandardHelpOptions = true)
final class CountCommand implements Callable<Integer> {

    interface Measurement {
        void run(int count) throws Exception;
    }

    private final Measurement measurement;

    @Parameters(index = "0", arity = "0..1", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int count;

    CountCommand(int count, Measurement measurement) {
        this.count = count;
        this.measurement = measurement;
    }

    @Override
    public Integer call() throws Exception {
        measurement.run(count);
        return 0;
    }
}
