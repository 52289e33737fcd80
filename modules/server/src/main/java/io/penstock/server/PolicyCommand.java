package io.penstock.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with policies without a server. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        description = "Tries rules.",
        subcommands = PolicyTrial.class)
final class PolicyCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what to do; `penstock policy test FILE` tries rules.");
    }
}
