package io.penstock.bench.faults;

import io.penstock.bench.log.Machine;
import io.penstock.bench.soak.CannotRun;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock soak faults}. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        description = "Injects random faults into a server under load, then checks what it promises to survive.")
public final class FaultSoakCommand implements Callable<Integer> {

    @Option(names = "--minutes", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private long minutes = 60;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers (default: random)")
    private long seed = System.nanoTime() & 0xFFFFFF;

    @Option(
            names = "--round-seconds",
            paramLabel = "N",
            description = "time between two checks (default: ${DEFAULT-VALUE})")
    private long roundSeconds = 60;

    @Option(
            names = "--faults",
            paramLabel = "NAME",
            split = ",",
            converter = Fault.Converter.class,
            description =
                    "some of kill-server, stop-server, kill-postgres, pause-postgres, full-disk and few-descriptors"
                            + " (default: all)")
    private List<Fault> faults = List.of(Fault.values());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 1 || roundSeconds < 1) {
            throw new ParameterException(spec.commandLine(), "--minutes and --round-seconds must be at least 1");
        }
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-soak-faults-");
        // As root, Postgres runs under another account, which must be able to enter.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        System.out.println(Machine.now());
        System.out.println("soak faults: seed " + seed);
        try {
            var soak = new FaultSoak(System.out, folder, faults, seed);
            soak.run(minutes, roundSeconds, seed);
            soak.delete();
            return 0;
        } catch (CannotRun e) {
            System.out.println("soak faults: cannot run, " + e.getMessage());
            return 2;
        } catch (SoakFailure e) {
            System.out.println(
                    "soak faults: FAILED, " + e.getMessage() + "\nthe server's log is " + folder.resolve("errors"));
            return 1;
        }
    }
}
