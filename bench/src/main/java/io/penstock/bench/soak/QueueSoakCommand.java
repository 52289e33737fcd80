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
                "Kills and stops a server with thousands of queued tasks, then checks that each ran once, in order. Then"
                        + " kills one again and again while shell runs wait and run in many sessions, and checks that each"
                        + " ended once, in order, one at a time.")
public final class QueueSoakCommand implements Callable<Integer> {

    @Option(names = "--tasks", paramLabel = "N", description = "tasks to queue (default: ${DEFAULT-VALUE})")
    private int tasks = 10_000;

    @Option(
            names = "--running",
            paramLabel = "N",
            description = "tasks that may run at once (default: ${DEFAULT-VALUE})")
    private int running = 50;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "sessions with shell runs (default: ${DEFAULT-VALUE})")
    private int sessions = 20;

    @Option(names = "--runs", paramLabel = "N", description = "runs of each session (default: ${DEFAULT-VALUE})")
    private int runs = 20;

    @Option(
            names = "--kills",
            paramLabel = "N",
            description = "how often the server with the sessions is killed (default: ${DEFAULT-VALUE})")
    private int kills = 10;

    @Option(names = "--seed", paramLabel = "N", description = "chooses the moments (default: the time)")
    private long seed = System.nanoTime();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (tasks < 1 || running < 1 || sessions < 1 || runs < 1 || kills < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--tasks, --running, --sessions, --runs and --kills must be at least 1");
        }
        return ofQueue() && ofLanes() ? 0 : 1;
    }

    private boolean ofQueue() throws IOException, InterruptedException {
        var soak = new QueueSoak(System.out, tasks, running);
        try {
            soak.run();
            soak.delete();
            return true;
        } catch (SoakFailure e) {
            System.out.println("soak queue: FAILED, " + e.getMessage() + "\n  what is left: " + soak.folder());
            return false;
        }
    }

    private boolean ofLanes() throws IOException, InterruptedException {
        System.out.println("soak queue: seed " + seed);
        var soak = new LaneSoak(System.out, sessions, runs, kills, seed);
        try {
            soak.run();
            soak.delete();
            return true;
        } catch (SoakFailure e) {
            System.out.println("soak queue: FAILED, " + e.getMessage() + "\n  what is left: " + soak.folder());
            return false;
        }
    }
}
