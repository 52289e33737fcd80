package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.RealAgents;
import io.penstock.testbed.RealAgents.RealAgent;
import io.penstock.testbed.StubModel;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hosts of pi as it is installed from npm, for which the protocol was made, against a model on this machine. */
@Tag("long")
@Tag("server")
class RealPiHostTest {

    @Test
    void piIsPromptedStoppedAndResumedWithHistory() throws IOException {
        try (var model = new StubModel();
                var server = new RpcServer(folder -> configure(folder, model), "--auth", "off")) {
            try (Host host = server.host()) {
                assertEquals("created", host.create("real").getString("mode"));
                host.switchTo("real");
                host.prompt("RUN(echo made > made.txt) SAY(it is made)", "pr_1");
                host.event("agent_end", "real");
                assertTrue(host.said("pr_1").contains("it is made"), host.said("pr_1"));
                assertEquals("made\n", Files.readString(server.workspace().resolve("sessions/real/work/made.txt")));
                assertEquals("stopped", host.stop("real").getString("state"));
                assertEquals("resumed", host.create("real").getString("mode"));
                host.switchTo("real");
                host.prompt("SAY(once more)", "pr_2");
                host.event("agent_end", "real");
                assertTrue(host.said("pr_2").contains("once more"), host.said("pr_2"));
                assertTrue(model.requests().getLast().contains("it is made"), "the model is told of the first run");
                host.prompt("HOLD() SAY(never)", "pr_3");
                model.held();
                assertTrue(host.stop("real").getString("state").equals("stopped"));
            }
        }
    }

    private static void configure(Path folder, StubModel model) {
        RealAgent pi = RealAgents.pi(folder.resolve("pi"), model);
        String environment = pi.environment().entrySet().stream()
                .map(entry -> entry.getKey() + " = \"" + entry.getValue() + "\"")
                .collect(Collectors.joining(", "));
        Path file = folder.resolve("data/penstock.toml");
        try {
            Files.writeString(file, """
                            [agents]
                            usual = "real-pi"
                            [agents.real-pi]
                            protocol = "pi"
                            command = %s
                            environment = {%s}
                            """.formatted(new JsonArray(pi.command()).encode(), environment));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
