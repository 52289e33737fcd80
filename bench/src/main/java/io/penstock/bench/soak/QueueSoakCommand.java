package io.penstock.bench.soak;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock soak queue}. */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        description =
                "Kills and stops a server with thousands of queued tasks, then checks that each ran once, in order.")
public final class QueueSoakCommand implements Callable<Integer> {

    @Option(names = "--tasks", paramLabel = "N", description = "tasks to queue (default: ${DEFAULT-VALUE})")
    private int tasks = 10_000;

    @Option(
            names = "--running",
            paramLabel = "N",
            description = "tasks that may run at once (default: ${DEFAULT-VALUE})")
    private int running = 50;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (tasks < 1 || running < 1) {
            throw new ParameterException(spec.commandLine(), "--tasks and --running must be at least 1");
        }
        var soak = new QueueSoak(System.out, tasks, running);
        try {
            soak.run();
            soak.delete();
            return 0;
        } catch (SoakFailure e) {
            System.out.println("soak queue: FAILED, " + e.getMessage() + "\n  what is left: " + soak.folder());
            return 1;
        }
    }
}
