package io.penstock.bench.agents;

import io.penstock.bench.peer.ChildProcesses;
import io.penstock.server.config.ShippedProfiles;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sample agent, and a program that reads its lines and does nothing with them. */
final class BarePipe {

    /** A turn as it was read. */
    record Turn(int messages, double seconds) {}

    private final Path folder;

    BarePipe(Path folder) {
        this.folder = folder;
    }

    Turn run(String prompt) throws IOException, InterruptedException {
        var command = Objects.requireNonNull(ShippedProfiles.all(folder).get(ShippedProfiles.USUAL))
                .command(null, null);
        Process agent = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(Redirect.DISCARD)
                .start();
        ChildProcesses.with(agent);
        try (var in = new BufferedReader(new InputStreamReader(agent.getInputStream(), StandardCharsets.UTF_8));
                var out = new BufferedWriter(new OutputStreamWriter(agent.getOutputStream(), StandardCharsets.UTF_8))) {
            request(
                    out,
                    1,
                    "initialize",
                    new JsonObject().put("protocolVersion", 1).put("clientCapabilities", new JsonObject()));
            response(in, 1);
            request(
                    out,
                    2,
                    "session/new",
                    new JsonObject().put("cwd", folder.toString()).put("mcpServers", new JsonArray()));
            String session =
                    new JsonObject(response(in, 2)).getJsonObject("result").getString("sessionId");
            var parts = new JsonArray().add(new JsonObject().put("type", "text").put("text", prompt));
            long begun = System.nanoTime();
            request(
                    out,
                    3,
                    "session/prompt",
                    new JsonObject().put("sessionId", session).put("prompt", parts));
            int messages = 0;
            for (String line = in.readLine(); !isResponse(line, 3); line = in.readLine()) {
                messages++;
            }
            return new Turn(messages, (System.nanoTime() - begun) / 1e9);
        } finally {
            agent.destroy();
            agent.waitFor();
        }
    }

    private static void request(Writer out, int id, String method, JsonObject parameters) throws IOException {
        out.write(new JsonObject()
                        .put("jsonrpc", "2.0")
                        .put("id", id)
                        .put("method", method)
                        .put("params", parameters)
                        .encode()
                + "\n");
        out.flush();
    }

    private static String response(BufferedReader in, int id) throws IOException {
        String line = in.readLine();
        while (!isResponse(line, id)) {
            line = in.readLine();
        }
        return Objects.requireNonNull(line);
    }

    private static boolean isResponse(@Nullable String line, int id) throws IOException {
        if (line == null) {
            throw new IOException("the sample agent ended");
        }
        return !line.contains("\"method\"") && line.contains("\"id\":" + id);
    }
}
