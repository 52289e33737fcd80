package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A switch to a task that is not ready yet, and a later one to a task that is: an agent opens its conversation when a file is there. */
@Tag("server")
class ReplacedSwitchTest {

    private static void configure(Path folder) {
        try {
            Files.writeString(folder.resolve("data/penstock.toml"), """
                    [agents]
                    usual = "gated"
                    [agents.gated]
                    protocol = "acp"
                    command = ["sh", "-c", '''
                        touch started
                        until [ -e go ]; do sleep 0.01; done
                        read initialize; echo '{"id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}'
                        read create; echo '{"id":2,"result":{"sessionId":"s"}}'
                        cat >/dev/null
                        ''']
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void laterSwitchReplacesTheEarlierOne() throws IOException {
        try (var server = new RpcServer(ReplacedSwitchTest::configure, "--auth", "off");
                Host creator = server.host();
                Host earlier = server.host();
                Host later = server.host()) {
            Path first = server.workspace().resolve("sessions/first/work");
            Path second = Files.createDirectories(server.workspace().resolve("sessions/second/work"));
            Files.createFile(second.resolve("go"));
            later.create("second");
            creator.send("create", "create_or_open_task", Host.task("first"));
            while (!Files.exists(first.resolve("started"))
                    || !earlier.state("first").equals("creating")) {
                earlier.heard.clear();
            }
            earlier.send("earlier", "switch_task", Host.task("first"));
            earlier.event("task_switch_started", "first");
            later.switchTo("second");
            Files.createFile(first.resolve("go"));
            assertTrue(creator.response("create").getBoolean("ok"));
            for (Host host : List.of(creator, earlier, later)) {
                JsonObject ready = host.eventSoFar("task_ready", "second");
                JsonObject error = host.eventSoFar("task_error", "first");
                assertEquals(List.of("task_switch_started", "task_error"), events(host, "first"));
                assertEquals(List.of("task_switch_started", "task_ready"), events(host, "second"));
                // After 5 s, the earlier switch would end by itself.
                if (error.getJsonObject("payload").getString("code").equals("TASK_NOT_READY")) {
                    assertTrue(host.heard.indexOf(error) > host.heard.indexOf(ready), host.heard::toString);
                }
            }
            assertEquals("second", later.active());
        }
    }

    private static List<String> events(Host host, String task) {
        return host.heard.stream()
                .filter(line -> line.containsKey("event") && task.equals(line.getString("taskId")))
                .map(line -> line.getString("event"))
                .toList();
    }
}
