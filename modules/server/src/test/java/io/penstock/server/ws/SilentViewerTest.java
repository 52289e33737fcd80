package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.attach.BareSocket;
import io.penstock.server.ws.wire.WsLimits;
import io.penstock.testbed.TestBed;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A viewer that no longer answers, such as a sleeping laptop, is detached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class SilentViewerTest {

    private static final long PING_MS = 200;

    private ServedTask served;
    private HttpServer server;

    @BeforeAll
    void start(TestBed bed) {
        served = bed.add(new ServedTask(bed.folder()));
        server = served.serve(
                (subprotocol, range, text) -> AttachRoutes.wire(served.tasks, subprotocol, range, text), PING_MS);
    }

    @Test
    void viewerThatAnswersNoPingIsDetached() throws IOException {
        try (BareSocket viewer = served.attach(server, "tail=0")) {
            int pings = 0;
            BareSocket.Message message = viewer.next();
            for (; message.opcode() != BareSocket.CLOSE; message = viewer.next()) {
                pings += message.opcode() == BareSocket.PING ? 1 : 0;
            }
            assertEquals(WsLimits.UNANSWERED_PINGS, pings);
            assertEquals(1001, message.closeCode());
            assertEquals(0, served.viewers());
        }
    }
}
