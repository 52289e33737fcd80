package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.attach.BareSocket;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whose laptop sleeps does not say so: who is gone is not among those who are here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SilentViewerTest {

    private static final long PING_MS = 200;

    private AttachGround ground;
    private HttpServer server;

    @BeforeAll
    void begin(@TempDir Path folder) {
        ground = new AttachGround(folder);
        server = ground.serve(
                (subprotocol, following, text) -> AttachRoutes.wire(ground.tasks, subprotocol, following, text),
                PING_MS);
    }

    @AfterAll
    void end() {
        ground.close();
    }

    @Test
    void whoAnswersNoPingIsLetGo() throws IOException {
        try (BareSocket viewer = ground.attach(server, "tail=0")) {
            int pings = 0;
            BareSocket.Message message = viewer.next();
            for (; message.opcode() != BareSocket.CLOSE; message = viewer.next()) {
                pings += message.opcode() == BareSocket.PING ? 1 : 0;
            }
            assertEquals(WsLimits.UNANSWERED_PINGS, pings);
            assertEquals(1001, message.closeCode());
            assertEquals(0, ground.viewers());
        }
    }

    @Test
    void whoAnswersStays() throws IOException {
        try (BareSocket viewer = ground.attach(server, "tail=0")) {
            for (int pings = 0; pings < 2 * WsLimits.UNANSWERED_PINGS; ) {
                if (viewer.next().opcode() == BareSocket.PING) {
                    pings++;
                    // Not each, as over a bad line.
                    if (pings % 3 == 0) {
                        viewer.send(BareSocket.PONG, false, new byte[0]);
                    }
                }
            }
            assertEquals(1, ground.viewers());
        }
    }
}
