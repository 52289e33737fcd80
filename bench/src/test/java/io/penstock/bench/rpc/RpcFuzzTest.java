package io.penstock.bench.rpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bench.load.LoadedServer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten seconds of what {@code ./penstock soak rpc} does for as long as one likes. */
@Tag("server")
class RpcFuzzTest {

    @Test
    void tenSecondsOfRandomLinesAreAnswered() throws IOException, InterruptedException {
        try (LoadedServer server = LoadedServer.startForHosts()) {
            assertTrue(RpcSoak.round(server, 10, 4, 1) > 100);
        }
    }
}
