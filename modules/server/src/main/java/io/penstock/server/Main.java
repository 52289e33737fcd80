package io.penstock.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the server. */
@Command(
        name = "penstock",
        mixinStandardHelpOptions = true,
        version = "Penstock " + Main.VERSION,
        description = "Runs programs and agents as background tasks, and keeps a true record of everything.",
        subcommands = {Up.class, PolicyCommand.class})
public final class Main implements Runnable {

    static final String VERSION = "0.1.0";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do; `penstock up` starts the server.");
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("penstock: " + StartFailure.sentence(failure));
                    // What is wrong with the value of an option is thrown as this, wherever it is read.
                    return failure instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }
}
