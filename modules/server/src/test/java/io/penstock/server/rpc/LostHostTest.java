package io.penstock.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A host that is lost without a word: its network or its machine has gone. */
class LostHostTest extends OneRpcServer {

    /** Of {@code /proc/net/tcp}: the local and the remote address, the kind of the timer, and when it is due. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int TIMER = 5;

    /** An answer has not been acknowledged yet. */
    private static final String UNACKNOWLEDGED = "01";

    private static final String KEEPALIVE = "02";

    /** The unit of {@code /proc/net/tcp}. */
    private static final int TICKS_PER_SECOND = 100;

    @Test
    void silentHostIsProbedSoon() throws IOException {
        try (Host host = server.host()) {
            String[] timer = timer(host);
            while (timer[0].equals(UNACKNOWLEDGED)) {
                timer = timer(host);
            }
            assertEquals(KEEPALIVE, timer[0]);
            long ticks = Long.parseLong(timer[1], 16);
            assertTrue(ticks <= (long) RpcLimits.SILENT_SECONDS * TICKS_PER_SECOND, ticks + " ticks");
        }
    }

    /** The timer of the server's end of the host's connection. */
    private String[] timer(Host host) throws IOException {
        int port = Integer.parseInt(server.address().replaceAll(".*:", ""));
        var lines = new ArrayList<String>();
        for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            if (Files.exists(Path.of(file))) {
                lines.addAll(Files.readAllLines(Path.of(file)));
            }
        }
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields ->
                        fields[LOCAL].endsWith(":" + hex(port)) && fields[REMOTE].endsWith(":" + hex(host.port())))
                .findFirst()
                .orElseThrow()[TIMER]
                .split(":");
    }

    private static String hex(int port) {
        return "%04X".formatted(port);
    }
}
