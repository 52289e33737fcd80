package io.penstock.server.closed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.penstock.server.attach.Attached;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task's secret is in its program and nowhere else: not in the ledger, a file, the log, or an answer. */
@Tag("server")
class SecretsTest {

    private final Path data = ServerProcess.folder();
    private final String secret = "secret-" + UUID.randomUUID();
    private final String password = "password-" + UUID.randomUUID();
    private final String encoded = Base64.getEncoder().encodeToString(password.getBytes(StandardCharsets.UTF_8));
    private final String title = "title-" + UUID.randomUUID();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "pty4j"})
    void theValueOfAVariableAndWhatIsTypedUnseenAreNowhere(String spawner) {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off", "--spawner", spawner);
                var client = new TaskClient(server)) {
            String ended = client.spawn(with(TaskClient.bash("echo ${#SECRET}; exit 1")));
            String running = client.spawn(
                    with(TaskClient.terminal("stty -echo; echo ready; read typed; echo ${#typed} ${#SECRET};"
                            + " read typed; echo attached ${#typed}; stty echo; sleep 60")));
            JsonObject refused = with(TaskClient.bash("true"));
            refused.getJsonObject("args").put("cwd", "/").put("rows", 0);
            String refusal = client.post("/tasks", refused).body();
            JsonObject unstartable = with(TaskClient.bash("true"));
            unstartable.getJsonObject("args").getJsonObject("env").put("SECRET", secret + "\0");
            String unstarted = client.post("/tasks", unstartable).body();
            client.untilShown(running, "ready");
            assertEquals(202, client.type(running, password + "\r").statusCode());
            client.untilShown(running, password.length() + " " + secret.length());
            try (Attached viewer = Attached.json(server, running, "")) {
                viewer.say(new JsonObject().put("type", "stdin").put("op", 1).put("text", password + "\r"));
                List<JsonObject> told =
                        viewer.until(object -> object.getString("chunk", "").contains("attached " + password.length()));
                assertClean(told.toString(), "messages to a viewer");
            }
            assertEquals("nonzero", client.ended(ended).getString("outcome"));

            assertTrue(Files.exists(data.resolve("live").resolve(running)), "there is nothing to look at");
            for (String said : List.of(
                    refusal,
                    unstarted,
                    client.get("/tasks").body(),
                    client.get("/metrics").body(),
                    client.events(ended).toString(),
                    client.get("/tasks/" + running + "/output").body())) {
                assertClean(said, "an answer");
            }
            assertNowhereIn(data);
            // Proves that the search finds existing text: it covers the ledger's own files too.
            assertTrue(count(data, title) > 0, "the title is not found either");

            client.post("/tasks/" + running + "/cancel", new JsonObject());
            client.ended(running);
            server.signal("TERM");
            server.exitCode();
            assertClean(String.join("\n", server.said()), "the log");
        }
        // Postgres has now written its buffers.
        assertNowhereIn(data);
        assertTrue(count(data.resolve("postgres"), title) > 0, "the title is not found in Postgres either");
    }

    private JsonObject with(JsonObject task) {
        task.put("title", title).getJsonObject("args").put("env", new JsonObject().put("SECRET", secret));
        return task;
    }

    private void assertNowhereIn(Path folder) {
        assertEquals(0, count(folder, secret), "files with the value of the variable");
        assertEquals(0, count(folder, password), "files with what was typed unseen");
        assertEquals(0, count(folder, encoded), "files with what was typed unseen, as frames have it");
    }

    private void assertClean(String text, String what) {
        assertFalse(text.contains(secret), what);
        assertFalse(text.contains(password), what);
        assertFalse(text.contains(encoded), what);
    }

    /** The files below a folder that contain these words. */
    private static long count(Path folder, String words) {
        long[] found = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    found[0] += attributes.isRegularFile() && has(file, words) ? 1 : 0;
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
                    if (why instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // a server that runs deletes files
                    }
                    throw why;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found[0];
    }

    private static boolean has(Path file, String words) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(words);
        } catch (NoSuchFileException itHasGone) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
