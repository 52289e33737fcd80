package io.penstock.server;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * For tests that need any server in its own process, which requires no token. All such classes of a JVM share it one after the other, so
 * it has tasks of theirs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
public abstract class OneServer {

    public final Path data = Shared.DATA;
    public final ServerProcess server = Shared.SERVER;
    public final TaskClient client = Shared.CLIENT;

    private static final class Shared {

        static final Path DATA = ServerProcess.folder();
        static final ServerProcess SERVER = ServerProcess.ready(DATA, "--port", "0", "--auth", "off");
        static final TaskClient CLIENT = new TaskClient(SERVER);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(Shared::stop));
        }

        private static void stop() {
            CLIENT.close();
            SERVER.close();
            ServerProcess.delete(DATA);
        }
    }
}
