package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ten seconds of each fuzzer; {@code ./penstock soak http} runs them for longer, with other seeds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
class FuzzTest {

    private static final int SECONDS = 10;
    private static final int CALLERS = 2;

    private static final long SEED = 1;

    private LoadedServer server;

    @BeforeAll
    void start() throws IOException {
        server = LoadedServer.start();
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    @Test
    void everyRouteAnswersRandomRequestsAsDocumented() throws IOException, InterruptedException {
        new FuzzRun(server, System.out, CALLERS, SEED).http(SECONDS);
    }

    @Test
    void everySubprotocolSurvivesRandomMessages() throws IOException, InterruptedException {
        new FuzzRun(server, System.out, CALLERS, SEED).sockets(SECONDS);
    }
}
