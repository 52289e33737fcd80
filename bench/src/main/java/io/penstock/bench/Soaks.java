package io.penstock.bench;

import io.penstock.bench.attach.AttachSoak;
import io.penstock.bench.faults.FaultSoakCommand;
import io.penstock.bench.fuzz.HttpSoak;
import io.penstock.bench.rpc.RpcSoak;
import io.penstock.bench.soak.MemorySoakCommand;
import io.penstock.bench.soak.QueueSoakCommand;
import io.penstock.bench.soak.log.LogSoakCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock soak}: the long tests. */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = "Runs a long test.",
        subcommands = {
            LogSoakCommand.class,
            QueueSoakCommand.class,
            AttachSoak.class,
            MemorySoakCommand.class,
            HttpSoak.class,
            RpcSoak.class,
            FaultSoakCommand.class
        })
final class Soaks implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "A soak is missing; there are "
                        + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
