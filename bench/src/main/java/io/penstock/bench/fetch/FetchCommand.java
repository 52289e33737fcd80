package io.penstock.bench.fetch;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A measurement over HTTP or WebSockets, with its options. */
@Command(mixinStandardHelpOptions = true)
public final class FetchCommand implements Callable<Integer> {

    public interface Measurement {
        void run(FetchOptions options) throws Exception;
    }

    private final Measurement measurement;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "size of the output that is fetched (default: ${DEFAULT-VALUE})")
    private long bytes;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "length of a run that has no end of its own (default: ${DEFAULT-VALUE})")
    private long seconds;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            description = "how often the servers take turns (default: ${DEFAULT-VALUE})")
    private int rounds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public FetchCommand(FetchOptions defaults, Measurement measurement) {
        this.bytes = defaults.bytes();
        this.seconds = defaults.seconds();
        this.rounds = defaults.rounds();
        this.measurement = measurement;
    }

    @Override
    public Integer call() throws Exception {
        measurement.run(options());
        return 0;
    }

    private FetchOptions options() {
        try {
            return new FetchOptions(bytes, seconds, rounds);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
