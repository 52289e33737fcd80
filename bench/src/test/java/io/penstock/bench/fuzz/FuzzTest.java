package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ten seconds of each fuzzer; {@code ./penstock soak http} runs them for longer. The seed is in the output of a failure. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
class FuzzTest {

    private static final int SECONDS = 10;
    private static final int CALLERS = 2;

    private final long seed = System.nanoTime() & 0xFFFFFF;
    private LoadedServer server;

    @BeforeAll
    void start() throws IOException {
        server = LoadedServer.start();
        System.out.println("fuzz: seed " + seed);
    }

    @AfterAll
    void stop() throws IOException {
        server.close();
    }

    @Test
    void everyRouteAnswersRandomRequestsAsDocumented() throws IOException, InterruptedException {
        new FuzzRun(server, System.out, CALLERS, seed).http(SECONDS);
    }

    @Test
    void everySubprotocolSurvivesRandomMessages() throws IOException, InterruptedException {
        new FuzzRun(server, System.out, CALLERS, seed).sockets(SECONDS);
    }
}
