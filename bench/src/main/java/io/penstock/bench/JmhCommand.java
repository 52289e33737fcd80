package io.penstock.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A measurement by JMH, which parses the arguments itself. */
@Command
final class JmhCommand implements Callable<Integer> {

    private final Class<?> benchmark;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    JmhCommand(Class<?> benchmark) {
        this.benchmark = benchmark;
    }

    @Override
    public Integer call() throws Exception {
        JmhFigures.run(benchmark, arguments);
        return 0;
    }
}
