package io.penstock.server;

import io.penstock.server.guard.AnswerToken;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Creates a new answer token and prints it. A running server holds the data directory's lock, so a task cannot create
 * one for itself.
 */
@Command(
        name = "answer-token",
        mixinStandardHelpOptions = true,
        description = {
            "Makes and prints a new answer token, which answers what policy asks. The old token becomes invalid.",
            "Only its hash is stored, so it cannot be shown again. The server must be stopped."
        })
final class AnswerTokenCommand implements Callable<Integer> {

    @Mixin
    private DataOption data = new DataOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (DataDirectory directory = DataDirectory.open(data.folder())) {
            out.println(AnswerToken.renew(directory.path()));
        }
        out.flush();
        return 0;
    }
}
