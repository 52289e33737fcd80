package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory of request bodies is limited, however many callers send large ones. */
@Tag("BOUNDED")
@ExtendWith(VertxExtension.class)
class LargeBodiesTest {

    private static final int BODY_BYTES = 200_000;
    private static final long SHARE_BYTES = (long) BODY_BYTES * HttpLimits.BODY_FACTOR;
    private static final long LONG_MS = 60_000;

    /** One kind may have half of it: two bodies. */
    private final AnswerBudget budget = new AnswerBudget(4 * SHARE_BYTES + 4096, LONG_MS, LONG_MS);

    private final List<Socket> sockets = new ArrayList<>();
    private RunningEdge edge;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder(), Policy.LOCAL, Quotas.DEFAULT, budget));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** A spawn as large as asked for, by its environment. */
    private static byte[] body() {
        String start = "{\"tool\": \"bash\", \"args\": {\"command\": \"true\", \"env\": {\"LARGE\": \"";
        String end = "\"}}}";
        return (start + "x".repeat(BODY_BYTES - start.length() - end.length()) + end)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private Socket begin(String length) throws IOException {
        var socket = new Socket("127.0.0.1", edge.port());
        sockets.add(socket);
        socket.setSoTimeout(30_000);
        send(
                socket,
                ("POST /tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length
                                + "\r\nAuthorization: Bearer " + edge.token + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private Socket beginWithLength() throws IOException {
        return begin("Content-Length: " + BODY_BYTES);
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private void awaitTaken(long bytes) {
        while (budget.takenBytes() != bytes) {
            Thread.onSpinWait();
        }
    }

    private static void assertCreated(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        String status = new String(in.readNBytes("HTTP/1.1 201".length()), StandardCharsets.US_ASCII);
        assertEquals("HTTP/1.1 201", status);
    }

    @Test
    void largeBodiesWaitUntilThereIsMemory() throws IOException {
        byte[] body = body();
        byte[] most = Arrays.copyOf(body, body.length - 1);
        byte[] last = {body[body.length - 1]};
        Socket first = beginWithLength();
        awaitTaken(SHARE_BYTES);
        Socket second = beginWithLength();
        awaitTaken(2 * SHARE_BYTES);
        Socket third = beginWithLength();
        for (Socket each : List.of(first, second, third)) {
            send(each, most);
        }
        // Small ones need not wait, and the third is not read before another is done.
        edge.spawn("true", "pipes");
        assertEquals(2 * SHARE_BYTES, budget.takenBytes());
        send(third, last);
        send(first, last);
        assertCreated(first);
        assertCreated(third);
        awaitTaken(SHARE_BYTES);
        send(second, last);
        assertCreated(second);
        awaitTaken(0);
    }

    @Test
    void bodyOfUnknownLengthTakesItsShareOnceItIsLarge() throws IOException {
        Socket chunked = begin("Transfer-Encoding: chunked");
        byte[] body = body();
        String size = Integer.toHexString(body.length) + "\r\n";
        send(chunked, size.getBytes(StandardCharsets.US_ASCII));
        send(chunked, Arrays.copyOf(body, 1000));
        edge.spawn("true", "pipes");
        assertEquals(0, budget.takenBytes());
        send(chunked, Arrays.copyOfRange(body, 1000, HttpLimits.SMALL_BODY_BYTES + 1000));
        awaitTaken(2 * SHARE_BYTES + 2048);
        send(chunked, Arrays.copyOfRange(body, HttpLimits.SMALL_BODY_BYTES + 1000, body.length));
        send(chunked, "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertCreated(chunked);
        awaitTaken(0);
    }

    @Test
    void brokenOffBodyGivesItsShareBack() throws IOException {
        Socket first = beginWithLength();
        awaitTaken(SHARE_BYTES);
        first.close();
        awaitTaken(0);
        JsonObject large = new JsonObject(new String(body(), StandardCharsets.US_ASCII));
        assertTrue(edge.spawn(large).length() > 10);
    }

    /** Half a minute, in which it holds its share. */
    @Test
    @Tag("long")
    void bodyThatDoesNotArriveIsRefusedInTheEnd() throws IOException {
        Socket slow = beginWithLength();
        slow.setSoTimeout(2 * 1000 * HttpLimits.BODY_SECONDS);
        awaitTaken(SHARE_BYTES);
        String status =
                new String(slow.getInputStream().readNBytes("HTTP/1.1 408".length()), StandardCharsets.US_ASCII);
        assertEquals("HTTP/1.1 408", status);
        awaitTaken(0);
    }

    @Test
    void connectionsFollowTheHeap() {
        long mib = 1 << 20;
        assertEquals(512, HttpLimits.connections(256 * mib));
        assertEquals(1024, HttpLimits.connections(512 * mib));
        assertEquals(4096, HttpLimits.connections(4096 * mib));
        assertEquals(1, HttpLimits.connections(1));
    }
}
