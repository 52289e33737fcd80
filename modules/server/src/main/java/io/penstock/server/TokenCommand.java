package io.penstock.server;

import io.penstock.server.guard.AccessToken;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the access token, so that the user need not know where the data directory is. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description = "Prints the access token of a data directory that you may read.")
final class TokenCommand implements Callable<Integer> {

    @Mixin
    private DataOption data = new DataOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Path folder = data.folder();
        Path file = folder.resolve("token");
        if (Files.notExists(file)) {
            throw new StartFailure("There is no access token in " + folder
                    + ": give the data directory with --data, or start the server there first.");
        }
        out.println(AccessToken.read(file));
        out.flush();
        return 0;
    }
}
