package io.penstock.server.rpc;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** For tests that need any server with a port for hosts, which requires no token. Its selected task is that of all hosts, so they take turns. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("server")
@ResourceLock("the port for hosts")
abstract class OneRpcServer {

    final RpcServer server = Shared.SERVER;

    private static final class Shared {

        static final RpcServer SERVER = new RpcServer("--auth", "off");

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }
}
