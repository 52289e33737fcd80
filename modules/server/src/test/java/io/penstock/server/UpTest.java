package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.api.Documented;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code penstock up}: its output, how it ends, and its errors when it cannot start. */
@Tag("server")
class UpTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    @Test
    void isReadyWhenItSaysSoAndStopsCleanlyOnCtrlC() throws Exception {
        try (ServerProcess server = ServerProcess.firstReady(data, "--port", "0")) {
            var health = server.get("/readyz");
            assertEquals(200, health.statusCode(), health.body());
            assertEquals("ok", new JsonObject(health.body()).getString("status"));
            assertTrue(new JsonObject(health.body()).getJsonObject("disk").getLong("free_bytes") > 0);
            assertEquals(200, server.get("/").statusCode());
            assertTrue(server.get("/").body().contains("<html"));
            assertTrue(server.get("/docs").body().contains("<title>Penstock · API</title>"));
            assertEquals(
                    Documented.DOCUMENT,
                    new JsonObject(server.get("/openapi.json").body()));
            for (String path : List.of("/healthz", "/readyz")) {
                JsonObject schema = Documented.resolved(new JsonObject().put("$ref", "#/components/schemas/Health"));
                assertNull(Documented.complaint(
                        schema, new JsonObject(server.get(path).body())));
            }
            List<ProcessHandle> postgres = server.handle().descendants().toList();
            assertTrue(!postgres.isEmpty());

            server.signal("INT");
            assertEquals(128 + 2, server.exitCode());
            assertEquals("Penstock has stopped.", server.said().getLast());
            for (ProcessHandle child : postgres) {
                child.onExit().get(10, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void theTokenIsAskedForKeptOverARestartAndNeverSaid() throws Exception {
        String kept;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            kept = Files.readString(data.resolve("token")).strip();
            assertEquals(401, server.get("/tasks").statusCode());
            assertEquals(200, server.get("/tasks", kept).statusCode());
            server.signal("TERM");
            server.exitCode();
            List<String> said = server.said();
            assertTrue(said.stream().anyMatch(line -> line.contains("in " + data.resolve("token"))), said::toString);
            assertTrue(said.stream().noneMatch(line -> line.contains(kept)), said::toString);
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(200, server.get("/tasks", kept).statusCode());
        }
        Files.setPosixFilePermissions(data.resolve("token"), PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(1, ServerProcess.begin(data, "--port", "0"), "can be read by others (rw-r--r--)");
    }

    @Test
    void onATerminalItShowsALinkThatSignsIn() throws Exception {
        try (ServerProcess server = ServerProcess.beginOnATerminal(data, "--port", "0")) {
            server.awaitReady();
            String token = Files.readString(data.resolve("token")).strip();
            String link = server.address() + "/#token=" + token;
            assertTrue(
                    server.saidSoFar().stream().anyMatch(line -> line.endsWith(" " + link)),
                    server.saidSoFar()::toString);
        }
    }

    @Test
    void answerTokenIsShownOnceOnATerminalAndIsInNoFile() throws Exception {
        String shown;
        try (ServerProcess server = ServerProcess.beginOnATerminal(data, "--port", "0")) {
            server.awaitReady();
            shown = server.saidSoFar().stream()
                    .filter(line -> line.startsWith("The answer token"))
                    .map(line -> line.substring(line.lastIndexOf(' ') + 1).strip())
                    .findFirst()
                    .orElseThrow();
            assertEquals(43, shown.length());
            String access = Files.readString(data.resolve("token")).strip();
            assertEquals(403, server.answer(access).statusCode());
            // There is no such task, and a client that may answer gets that error.
            assertEquals(404, server.answer(shown).statusCode());
        }
        assertFalse(isInAFileOf(data, shown));
        try (ServerProcess server = ServerProcess.beginOnATerminal(data, "--port", "0")) {
            server.awaitReady();
            assertTrue(server.saidSoFar().stream().noneMatch(line -> line.startsWith("The answer token")));
            assertEquals(404, server.answer(shown).statusCode());
        }
    }

    @Test
    void commandMakesANewAnswerTokenWhileTheServerIsStopped() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            var refused = new StringWriter();
            assertEquals(1, answerToken(refused));
            assertTrue(refused.toString().contains("is used by another Penstock"), refused::toString);
            // There was no terminal to show one on, so there is no answer token.
            assertEquals(
                    403,
                    server.answer(Files.readString(data.resolve("token")).strip())
                            .statusCode());
        }
        var first = new StringWriter();
        var second = new StringWriter();
        assertEquals(0, answerToken(first));
        assertEquals(0, answerToken(second));
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(401, server.answer(first.toString().strip()).statusCode());
            assertEquals(404, server.answer(second.toString().strip()).statusCode());
        }
    }

    private int answerToken(StringWriter said) {
        return new CommandLine(new Main())
                .setOut(new PrintWriter(said))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    said.append(StartFailure.sentence(failure));
                    return 1;
                })
                .execute("answer-token", "--data", data.toString());
    }

    private static boolean isInAFileOf(Path folder, String words) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(words)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void withoutAuthNoTokenIsMadeOrAskedFor() {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off")) {
            assertEquals(200, server.get("/tasks").statusCode());
            assertTrue(Files.notExists(data.resolve("token")));
        }
        assertRefused(
                2,
                ServerProcess.begin(data, "--port", "0", "--auth", "off", "--host", "0.0.0.0"),
                "--auth off needs a loopback address");
    }

    @Test
    void startsAgainAfterItWasKilledAndItsPostgresWithIt() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--journal-fsync", "always")) {
            List<ProcessHandle> postgres = server.handle().descendants().toList();
            server.signal("KILL");
            server.exitCode();
            for (ProcessHandle child : postgres) {
                child.onExit().get(20, TimeUnit.SECONDS);
            }
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(200, server.get("/readyz").statusCode());
        }
    }

    @Test
    void aCommandWithAKeyHappensOnceAlsoAcrossAKill() {
        String command = "{\"tool\":\"bash\",\"args\":{\"command\":\"true\"}}";
        String same = "{\"args\":{\"command\":\"true\"},\"tool\":\"bash\"}";
        String other = "{\"tool\":\"bash\",\"args\":{\"command\":\"false\"}}";
        String first;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            var spawned = server.post(data, "/tasks", command, "key-1");
            assertEquals(201, spawned.statusCode(), spawned.body());
            first = spawned.body();
            assertEquals(first, server.post(data, "/tasks", same, "key-1").body());
            var conflict = server.post(data, "/tasks", other, "key-1");
            assertEquals(422, conflict.statusCode(), conflict.body());
            assertTrue(conflict.body().contains("IDEMPOTENCY_CONFLICT"), conflict.body());
            assertNotEquals(first, server.post(data, "/tasks", command, "key-2").body());
            // A refused request did not happen, so the key is free again.
            assertEquals(
                    400,
                    server.post(data, "/tasks", "{\"tool\":\"none\"}", "key-3").statusCode());
            assertEquals(201, server.post(data, "/tasks", command, "key-3").statusCode());
            server.signal("KILL");
            server.exitCode();
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(first, server.post(data, "/tasks", command, "key-1").body());
        }
    }

    @Test
    void itsPostgresIsStartedAgainWhenItDies() throws Exception {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            ProcessHandle postgres = server.handle().children().findFirst().orElseThrow();
            postgres.destroyForcibly();
            postgres.onExit().get(10, TimeUnit.SECONDS);
            // The log shows when the ledger is healthy again, or that it always was.
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (server.handle().children().findFirst().isEmpty()
                    || server.get("/readyz").statusCode() != 200) {
                assertTrue(System.nanoTime() < deadline, "not ready again");
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aSecondServerOnTheSameDataIsRefusedAndTheFirstGoesOn() {
        try (ServerProcess first = ServerProcess.ready(data, "--port", "0")) {
            assertRefused(
                    1,
                    ServerProcess.begin(data, "--port", "0"),
                    "is used by another Penstock: stop that one, or choose");
            assertEquals(200, first.get("/readyz").statusCode());
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertRefused(
                    1,
                    ServerProcess.begin(data, "--port", port),
                    "Another program already listens on 127.0.0.1, port " + port);
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertEquals(200, server.get("/readyz").statusCode());
        }
    }

    @Test
    void aJournalOfAnotherVersionIsLeftAlone() throws IOException {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            server.signal("TERM");
            assertEquals(128 + 15, server.exitCode());
        }
        Path file;
        try (Stream<Path> files = Files.list(data.resolve("journal"))) {
            file = files.filter(f -> f.toString().endsWith(".journal"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        writeVersion(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0);
        writeVersion(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 2048);
        Files.write(file, bytes);

        assertRefused(
                1,
                ServerProcess.begin(data, "--port", "0"),
                "belongs to a journal of version 99, this program reads version 1");
        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    /**
     * In the header of a journal file, which is stored twice: magic, version, …, and a checksum of everything before
     * it.
     */
    private static void writeVersion(ByteBuffer file, int head) {
        file.putShort(head + 8, (short) 99);
        var crc = new CRC32C();
        crc.update(file.slice(head, 60));
        file.putInt(head + 60, (int) crc.getValue());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2 | --database | mysql://localhost/x                | not postgresql://
            1 | --database | postgresql://u@127.0.0.1:1/x       | 127.0.0.1:1
            1 | --database | postgresql://u@no.such.host.test/x | no.such.host.test
            2 | --port     | 70000                              | --port is 0 to 65535, not 70000
            2 | --port     | many                               | many
            1 | --host     | 203.0.113.7                        | give an address of this machine with --host
            2 | --journal-fsync | sometimes                     | never, interval or always, not "sometimes"
            2 | --auth     | none                               | --auth is token or off, not "none"
            2 | --max-running | 0                               | --max-running is 1 or more, not 0
            2 | --max-queued | -1                               | --max-queued is 0 or more, not -1
            1 | --config   | /nowhere.toml                      | The configuration /nowhere.toml does not exist
            2 | --bogus    | 1                                  | --bogus
            """)
    void wrongOptionEndsInASentenceAndItsExitCode(int code, String option, String value, String expected) {
        assertRefused(code, ServerProcess.begin(data, option, value), expected);
    }

    @Test
    void aDataDirectoryThatIsAFileIsNamed() throws IOException {
        Path file = Files.createFile(data.resolve("file"));
        assertRefused(1, ServerProcess.begin(file, "--port", "0"), file + " is a file: choose another with --data");
        assertRefused(1, ServerProcess.begin(Path.of("/proc/penstock"), "--port", "0"), "choose another with --data");
    }

    /** It exits with this code, and with one sentence that contains this and no stack trace. */
    private static void assertRefused(int code, ServerProcess server, String expected) {
        try (server) {
            int ended = server.exitCode();
            List<String> said = server.said();
            assertEquals(code, ended, () -> "it said " + said);
            assertTrue(said.stream().anyMatch(line -> line.contains(expected)), () -> "it said " + said);
            assertTrue(said.stream().noneMatch(line -> line.startsWith("\tat ")), () -> "it said " + said);
        }
    }
}
