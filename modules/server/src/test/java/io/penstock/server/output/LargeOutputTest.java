package io.penstock.server.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import io.penstock.server.TaskClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Huge output: five gigabytes, of which sixteen megabytes are kept, through a server with 256 MiB. */
@Tag("server")
class LargeOutputTest {

    private static final long BYTES = 5L << 30;
    private static final long MIB = 1 << 20;

    private final Path data = ServerProcess.folder();

    @AfterEach
    void delete() {
        ServerProcess.delete(data);
    }

    @Test
    void fiveGigabytesAreCountedInMemoryThatStaysAsItIs() throws IOException {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
                var client = new TaskClient(server)) {
            // Warms up with a first task.
            client.ended(client.spawn(TaskClient.bash("head -c 100000000 /dev/zero")));
            long residentBefore = resident(server);
            double directBefore = direct(client);

            String task = client.spawn(TaskClient.bash("head -c " + BYTES + " /dev/zero; echo done >&2"));
            List<Long> resident = new ArrayList<>();
            List<Double> direct = new ArrayList<>();
            JsonObject status = client.status(task);
            while (!status.getString("phase").equals("ended")) {
                resident.add(resident(server));
                direct.add(direct(client));
                status = new JsonObject(
                        client.get("/tasks/" + task + "?wait=200").body());
            }
            JsonObject stdout =
                    status.getJsonObject("artifacts").getJsonObject("logs").getJsonObject("stdout");
            assertEquals(0, status.getInteger("exit_code"));
            assertEquals(BYTES, stdout.getLong("bytes_total"));
            assertEquals(16 * MIB, stdout.getLong("bytes_stored"));
            assertEquals(16 * MIB, Files.size(data.resolve(stdout.getString("path"))));

            double directGrown = Collections.max(direct) - directBefore;
            assertTrue(directGrown < 16 * MIB, "direct memory has grown by " + directGrown);
            // The heap may fill its 256 MiB before a collection.
            long residentGrown = (Collections.max(resident) - residentBefore) / MIB;
            assertTrue(residentGrown < 256, "the process has grown by " + residentGrown + " MiB");
        }
    }

    private static double direct(TaskClient client) {
        var used = Pattern.compile("(?m)^jvm_buffer_memory_used_bytes\\{[^}]*id=\"direct\"[^}]*} (\\S+)")
                .matcher(client.get("/metrics").body());
        assertTrue(used.find(), "no figure of direct memory");
        return Double.parseDouble(used.group(1));
    }

    /** Anonymous memory in bytes: the heap and everything outside it. */
    private static long resident(ServerProcess server) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + server.handle().pid() + "/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new AssertionError("no figure of its memory");
    }
}
