package io.penstock.server;

import io.penstock.server.webhook.WebhookFiles;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the derived secret of a webhook, which no answer contains, for its receiver. */
@Command(
        name = "webhook-secret",
        mixinStandardHelpOptions = true,
        description = "Prints the secret with which the deliveries of a session's webhook are signed, if it was set"
                + " without a secret.")
final class WebhookSecretCommand implements Callable<Integer> {

    @Parameters(paramLabel = "SESSION", description = "The session's id.")
    private String session = "";

    @Mixin
    private DataOption data = new DataOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Path folder = data.folder();
        if (Files.notExists(folder.resolve("webhook-key"))) {
            throw new StartFailure("There is no key of webhooks in " + folder
                    + ": give the data directory with --data, or start the server there first.");
        }
        out.println(new WebhookFiles(folder).derivedSecret(session).text());
        out.flush();
        return 0;
    }
}
