package io.penstock.bench.soak.log;

import io.penstock.bench.soak.SoakFailure;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock soak log}. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = "Kills and damages the log while frames are appended, then counts them.")
public final class LogSoakCommand implements Callable<Integer> {

    private static final String ALL = "all";

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "rounds of each scenario (default: each scenario has its own)")
    private @Nullable Integer rounds;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers (default: random)")
    private long seed = System.nanoTime() & 0xFFFFFF;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description = "kill, postgres, disk, truncate or all (default: ${DEFAULT-VALUE})")
    private String scenario = ALL;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (rounds != null && (rounds < 1 || rounds > 1_000_000)) {
            throw wrong("--rounds is 1 to 1000000, not " + rounds);
        }
        var soak = new LogSoak(System.out);
        int failed = 0;
        for (SoakScenario each : scenarios()) {
            try {
                soak.run(each, rounds(each), seed);
            } catch (SoakFailure e) {
                failed++;
            }
        }
        return failed == 0 ? 0 : 1;
    }

    int rounds(SoakScenario of) {
        return rounds == null ? of.longRounds() : rounds;
    }

    private List<SoakScenario> scenarios() {
        List<SoakScenario> scenarios = Stream.of(SoakScenario.values())
                .filter(each ->
                        scenario.equals(ALL) || scenario.equals(each.name().toLowerCase(Locale.ROOT)))
                .toList();
        if (scenarios.isEmpty()) {
            throw wrong("--scenario is kill, postgres, disk, truncate or all, not " + scenario);
        }
        return scenarios;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
