package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server starts on a full disk, so that it can be used to free space; on a small real tmpfs, so only where one can be
 * mounted.
 */
@Tag("server")
class FullDiskStartTest {

    private final Path folder = ServerProcess.folder();

    @AfterEach
    void unmount() throws Exception {
        run("umount", folder.toString());
        ServerProcess.delete(folder);
    }

    @Test
    void startOnFullDiskTakesTheBallastAndServes() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=500m,mode=755", "tmpfs", folder.toString()), "no tmpfs");
        Path data = Files.createDirectory(folder.resolve("data"));
        Path ballast = data.resolve("ballast");
        String task;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            task = client.spawn(TaskClient.bash("head -c 5000000 /dev/zero"));
            client.ended(task);
            awaitFile(ballast);
            server.signal("TERM");
            server.exitCode();
        }
        Path filler = folder.resolve("filler");
        fill(filler);
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            assertFalse(Files.exists(ballast));
            assertEquals(204, client.delete("/tasks/" + task + "/output/stdout").statusCode());
            client.ended(client.spawn(TaskClient.bash("true")));
            Files.delete(filler);
            awaitFile(ballast);
            server.signal("TERM");
            server.exitCode();
        }
    }

    private static void awaitFile(Path file) throws Exception {
        try (WatchService changes = file.getFileSystem().newWatchService()) {
            file.resolveSibling("").register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            while (!Files.exists(file)) {
                changes.take().reset();
            }
        }
    }

    /** To the last byte. */
    private static void fill(Path file) {
        byte[] zeros = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            assertEquals("No space left on device", e.getMessage());
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
