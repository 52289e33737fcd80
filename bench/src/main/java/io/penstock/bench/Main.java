package io.penstock.bench;

import io.penstock.bench.load.LoadRun;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of measurements, load and soaks. */
@Command(
        name = "penstock",
        mixinStandardHelpOptions = true,
        description = "Measures and tortures Penstock.",
        subcommands = {LoadRun.class, Soaks.class})
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing; there are bench, load and soak.");
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).addSubcommand("bench", Measurements.commandLine());
    }

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
