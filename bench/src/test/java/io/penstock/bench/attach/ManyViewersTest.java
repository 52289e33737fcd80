package io.penstock.bench.attach;

import io.penstock.bench.load.LoadedServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Against a server in its own process; {@code ./penstock soak attach} does the same for longer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
class ManyViewersTest {

    private LoadedServer server;

    @BeforeAll
    void start() throws IOException {
        server = LoadedServer.start(ServerMemory.OPTION);
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    @Test
    void stuckViewersTakeNoMemoryAndSeeAllOutputLater() throws IOException, InterruptedException {
        new StuckViewers(server, 32 << 20).run(System.out, 200, 20);
    }

    @Test
    void reconnectingViewerSeesEachFrameOnce() throws IOException, InterruptedException {
        new ReconnectingViewers(server, 1).storm(System.out, 100, 30);
    }

    @Test
    void viewerCutOffWhileTypingDoesEachInputOnce() throws IOException, InterruptedException {
        new ReconnectingViewers(server, 1).cut(System.out, 1_000);
    }
}
