package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent program that never opens its conversation, and room for one of them. */
@Tag("server")
class SlowAgentTest {

    private static void configure(Path folder) {
        try {
            Files.writeString(folder.resolve("data/penstock.toml"), """
                    [tasks]
                    max_concurrent_global = 1
                    [agents]
                    usual = "slow"
                    [agents.slow]
                    protocol = "acp"
                    command = ["sleep", "600"]
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void switchTimesOutAndCreateEndsWithTheStop() {
        try (var server = new RpcServer(SlowAgentTest::configure, "--auth", "off");
                Host creator = server.host();
                Host other = server.host()) {
            creator.send("create", "create_or_open_task", Host.task("slow"));
            while (!other.state("slow").equals("creating")) {
                other.heard.clear();
            }
            other.send("no-place", "create_or_open_task", Host.task("second"));
            other.send("switch", "switch_task", Host.task("slow"));
            other.event("task_switch_started", "slow");
            JsonObject late = other.event("task_error", "slow");
            assertEquals("SWITCH_TIMEOUT", late.getJsonObject("payload").getString("code"));
            JsonObject refused = other.heard.stream()
                    .filter(line -> "no-place".equals(line.getString("id")))
                    .findFirst()
                    .orElseGet(() -> other.response("no-place"));
            assertEquals("TASK_NOT_READY", refused.getJsonObject("error").getString("code"));
            assertEquals("TASK_NOT_READY", other.refused("prompt", Host.message("hello", "pr")));
            assertEquals("stopped", other.stop("slow").getString("state"));
            JsonObject created = creator.response("create");
            assertEquals("TASK_NOT_READY", created.getJsonObject("error").getString("code"));
        }
    }
}
