package io.penstock.server;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** For tests that share a server in a process of its own, which asks nobody for a token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OneServer {

    final Path data = ServerProcess.folder();
    ServerProcess server;
    TaskClient client;

    @BeforeAll
    void startServer() {
        server = ServerProcess.ready(data, "--port", "0", "--auth", "off");
        client = new TaskClient(server);
    }

    @AfterAll
    void stopServer() {
        client.close();
        server.close();
        ServerProcess.delete(data);
    }
}
