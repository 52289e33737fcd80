package io.penstock.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Policy commands that need no server. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        description = "Tests rules.",
        subcommands = PolicyTrial.class)
final class PolicyCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "A command is missing; `penstock policy test FILE` tests rules.");
    }
}
