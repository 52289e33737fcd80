package io.penstock.bench.soak;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
                        + " ended once, in order, one at a time; while matches are merged and delivered to a webhook, and"
                        + " checks that none is lost or double; and while old tasks are removed.")
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
            description = "how often each server of the later parts is killed (default: ${DEFAULT-VALUE})")
    private int kills = 10;

    @Option(names = "--seed", paramLabel = "N", description = "chooses the moments (default: the time)")
    private long seed = System.nanoTime();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException, PostgresUnavailable {
        if (tasks < 1 || running < 1 || sessions < 1 || runs < 1 || kills < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--tasks, --running, --sessions, --runs and --kills must be at least 1");
        }
        System.out.println("soak queue: seed " + seed);
        return run("queue", folder -> new QueueSoak(System.out, folder, tasks, running).run())
                        && run("lanes", folder -> new LaneSoak(System.out, folder, sessions, runs, kills, seed).run())
                        && run("delivery", folder -> new DeliverySoak(System.out, folder, kills, seed).run())
                        && run("removal", folder -> new RemovalSoak(System.out, folder, kills, seed).run())
                ? 0
                : 1;
    }

    /** One of the parts, in a folder of its own. */
    interface Part {
        void run(Path folder) throws IOException, InterruptedException, PostgresUnavailable;
    }

    static boolean run(String name, Part part) throws IOException, InterruptedException, PostgresUnavailable {
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-soak-" + name + "-");
        // As root, Postgres runs under another account, which must be able to enter.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.resolve("work"));
        try {
            part.run(folder);
        } catch (SoakFailure e) {
            System.out.println("soak queue: FAILED, " + e.getMessage() + "\n  what is left: " + folder);
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
        return true;
    }
}
