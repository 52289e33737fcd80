package io.penstock.server.closed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The access of tasks and other accounts to a server: none to its process, and none to its files. */
@Tag("server")
class ClosedServerTest {

    private static final int NOBODY = 65534;

    private final Path data = ServerProcess.folder();
    private final boolean root = "root".equals(System.getProperty("user.name"));

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    /** As an ordinary user, since root may read everything, with this variable in its environment. */
    private ServerProcess ready(String variable, String value) throws IOException {
        Path own = Files.createDirectory(data.resolve("own"));
        Path cache = Files.createDirectory(data.resolve("cache"));
        Path workspace = Files.createDirectory(data.resolve("workspace"));
        if (root) {
            for (Path folder : List.of(own, cache, workspace)) {
                Files.setAttribute(folder, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
            }
        }
        return ServerProcess.readyAsAnOrdinaryUser(
                own,
                Map.of(variable, value, "XDG_CACHE_HOME", cache.toString()),
                "--port",
                "0",
                "--auth",
                "off",
                "--workspace",
                workspace.toString());
    }

    @Test
    void tasksCannotReadMemoryEnvironmentOrDescriptorsOfTheServer() throws IOException {
        try (ServerProcess server = ready("PGPASSWORD", "secret-" + UUID.randomUUID());
                var client = new TaskClient(server)) {
            String task = client.spawn(TaskClient.bash("""
                    echo parent $PPID $(cat /proc/$PPID/comm)
                    for file in environ maps mem auxv; do
                      (exec 3</proc/$PPID/$file && head -c 1 <&3 >/dev/null && echo read $file) 2>/dev/null
                    done
                    readlink /proc/$PPID/fd/0 /proc/$PPID/cwd
                    head -c 1 /proc/self/environ | wc -c
                    """));
            assertEquals("succeeded", client.ended(task).getString("outcome"));
            assertEquals("parent " + server.handle().pid() + " java\n1\n", output(client, task));

            // The server still finds processes that left their task's session.
            String daemon = client.spawn(TaskClient.bash("setsid sleep 600 & echo $!; wait"));
            client.untilShown(daemon, "\n");
            long left = Long.parseLong(output(client, daemon).strip());
            client.post("/tasks/" + daemon + "/cancel", new JsonObject());
            client.ended(daemon);
            // It was killed, but may not have been reaped yet.
            ProcessHandle.of(left)
                    .ifPresent(killed ->
                            killed.onExit().orTimeout(20, TimeUnit.SECONDS).join());

            // The server can still read its own process information.
            double open = client.get("/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("process_files_open_files "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                    .findFirst()
                    .orElseThrow();
            assertTrue(open > 10, "open files: " + open);
            assertEquals(200, server.get("/readyz").statusCode());
        }
    }

    @Test
    void tasksCannotHaveTheJvmWriteItsMemoryToAFile() throws IOException {
        try (ServerProcess server = ready("PGPASSWORD", "secret-" + UUID.randomUUID());
                var client = new TaskClient(server)) {
            // jcmd asks the JVM itself, which serves every program of its account unless an option forbids it.
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            String task = client.spawn(
                    TaskClient.bash("'" + jcmd + "' $PPID GC.heap_dump \"$PWD/memory\" >answer 2>&1; echo $? *"));
            client.ended(task);
            String answer = Files.readString(data.resolve("workspace/answer"));
            assertEquals("1 answer\n", output(client, task), answer);
            assertTrue(answer.contains("does not support the attach mechanism"), answer);
            assertTrue(
                    server.saidSoFar().stream().noneMatch(ClosedServerTest::namesAnOpening),
                    server.saidSoFar()::toString);
        }
    }

    @Test
    void jvmThatLetsTasksAttachIsNamedAtTheStart() throws IOException {
        try (ServerProcess server = ready("_JAVA_OPTIONS", "-XX:-DisableAttachMechanism")) {
            assertTrue(
                    server.saidSoFar().stream().anyMatch(ClosedServerTest::namesAnOpening),
                    server.saidSoFar()::toString);
        }
    }

    private static boolean namesAnOpening(String line) {
        return line.startsWith("Tasks can read this server's memory") && line.contains("-XX:+DisableAttachMechanism");
    }

    private static String output(TaskClient client, String task) {
        return new JsonObject(client.get("/tasks/" + task + "/output").body()).getString("content");
    }

    @Test
    void nothingInTheDataDirectoryIsOpenToOthersAlsoOfOneThatWas() throws Exception {
        for (String folder : List.of("journal", "live", "live-spare", "queue", "artifacts", "postgres")) {
            Files.createDirectory(data.resolve(folder));
            Files.setPosixFilePermissions(data.resolve(folder), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        for (String file : List.of("lock", "postgres/lock", "postgres/postgres.log")) {
            Files.createFile(data.resolve(file));
            Files.setPosixFilePermissions(data.resolve(file), PosixFilePermissions.fromString("rw-r--r--"));
        }
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            assertTrue(server.saidSoFar().getLast().startsWith("Penstock is ready"));
            assertEquals(List.of(), openToOthers(data));
            if (root) {
                for (String lock : List.of("lock", "postgres/lock")) {
                    Process stranger = new ProcessBuilder(
                                    "setpriv",
                                    "--reuid=" + NOBODY,
                                    "--regid=" + NOBODY,
                                    "--clear-groups",
                                    "cat",
                                    data.resolve(lock).toString())
                            .redirectErrorStream(true)
                            .start();
                    String words = new String(stranger.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertFalse(stranger.waitFor() == 0, words);
                    assertTrue(words.contains("Permission denied"), words);
                }
            }
        }
    }

    /** The files that another account could read or write; none in folders that it cannot enter. */
    private static List<Path> openToOthers(Path folder) throws IOException {
        var open = new ArrayList<Path>();
        try (var all = Files.newDirectoryStream(folder)) {
            for (Path each : all) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(each, LinkOption.NOFOLLOW_LINKS);
                // Postgres' access rules contain no secret, and its account must read them.
                if (!each.endsWith("pg_hba.conf")
                        && (mode.contains(PosixFilePermission.OTHERS_READ)
                                || mode.contains(PosixFilePermission.OTHERS_WRITE)
                                || mode.contains(PosixFilePermission.GROUP_READ)
                                || mode.contains(PosixFilePermission.GROUP_WRITE))) {
                    open.add(each);
                }
                if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                        && mode.contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    open.addAll(openToOthers(each));
                }
            }
        }
        return open;
    }
}
