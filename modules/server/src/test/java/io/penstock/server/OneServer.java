package io.penstock.server;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** For tests that share a server in its own process, which requires no token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
public abstract class OneServer {

    public final Path data = ServerProcess.folder();
    public ServerProcess server;
    public TaskClient client;

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
