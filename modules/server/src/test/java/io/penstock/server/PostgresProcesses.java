package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** The processes of a server's own Postgres, which a test pauses. */
public final class PostgresProcesses {

    private PostgresProcesses() {}

    /** First to the process that starts the others, then to the existing ones: one for each connection. */
    public static void signal(ServerProcess server, String signal) {
        List<ProcessHandle> roots = postgres(server.handle().children());
        for (ProcessHandle root : roots) {
            signal(signal, root);
            for (ProcessHandle child : postgres(root.children())) {
                signal(signal, child);
            }
        }
        assertEquals(1, roots.size());
    }

    private static List<ProcessHandle> postgres(Stream<ProcessHandle> processes) {
        return processes
                .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                .toList();
    }

    private static void signal(String signal, ProcessHandle process) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
