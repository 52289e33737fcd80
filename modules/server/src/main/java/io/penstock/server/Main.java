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
        description = "Runs programs as background tasks and records everything that happens.",
        subcommands = {
            Up.class,
            PolicyCommand.class,
            AgentsCommand.class,
            TokenCommand.class,
            AnswerTokenCommand.class,
            WebhookSecretCommand.class
        })
public final class Main implements Runnable {

    static final String VERSION = "0.1.0";

    private static final String NETTY_DIRECT_MEMORY = "io.netty.maxDirectMemory";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing; `penstock up` starts the server.");
    }

    /**
     * Sets Netty's limit below the JVM's, at which event loops would wait for the garbage collector; this way, a
     * connection that needs too much fails alone. Must run before any class of Netty is loaded.
     */
    static void limitDirectMemory() {
        if (System.getProperty(NETTY_DIRECT_MEMORY) == null) {
            System.setProperty(
                    NETTY_DIRECT_MEMORY, String.valueOf(Runtime.getRuntime().maxMemory() / 4 * 3));
        }
    }

    public static void main(String[] args) {
        limitDirectMemory();
        System.exit(new CommandLine(new Main())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("penstock: " + StartFailure.sentence(failure));
                    // Wrong option values are thrown as this exception, wherever they are parsed.
                    return failure instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args));
    }
}
