package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.concurrent.EventExecutor;
import io.penstock.server.attach.BareSocket;
import io.penstock.server.request.HttpLimits;
import io.penstock.testbed.TestBed;
import io.vertx.core.internal.VertxInternal;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** However many connect without a good credential, and however slowly they send, a caller with the token is answered. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class StrangersTest {

    private static final int MANY = 4_200;

    private static final int PATIENCE_MS = 60_000;

    private static final String TRICKLED = "GET /tasks HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

    private RunningEdge edge;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket connect(String from, String begin) throws IOException {
        var socket = new Socket(InetAddress.getByName("127.0.0.1"), edge.port(), InetAddress.getByName(from), 0);
        sockets.add(socket);
        socket.setSoTimeout(PATIENCE_MS);
        send(socket, begin);
        return socket;
    }

    /** False if the server has closed it. */
    private static boolean send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // Reset, which is an end too.
        }
    }

    private String request(String path, String credential) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + credential + "\r\n";
    }

    private String token() {
        return "Authorization: Bearer " + edge.token + "\r\n";
    }

    /** Answered at once: the whole of it takes no longer than the server waits for strangers. */
    private void assertAnswered() {
        long began = System.nanoTime();
        String answer = edge.raw(request("/tasks", token() + "Connection: close\r\n"));
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertTrue(ms < HttpLimits.STRANGER_SECONDS * 500L, ms + " ms");
    }

    private static String head(Socket socket) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return head + "<end>";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Test
    void slowStrangersDoNotBlockCallersWithTheToken() throws IOException {
        Socket signedIn = connect("127.0.0.1", request("/tasks/nobody", token()));
        assertTrue(head(signedIn).startsWith("HTTP/1.1 404 "));
        String task = edge.spawn("sleep 600", "pty");
        try (var viewer = new BareSocket(
                        URI.create("http://127.0.0.1:" + edge.port()),
                        "/tasks/" + task + "/attach",
                        "penstock.v1.json",
                        edge.token)
                .open()) {
            for (int i = 0; i < MANY; i++) {
                connect("127.0.0.1", TRICKLED);
                if (i % 300 == 0) {
                    assertAnswered();
                }
            }
            for (int round = 0; round < 3; round++) {
                assertAnswered();
                sockets.stream().skip(1).forEach(socket -> send(socket, "x"));
                assertTrue(
                        edge.connections.strangers() <= HttpLimits.STRANGERS + HttpLimits.UNREAD_STRANGERS,
                        "strangers");
            }
            // Clients that signed in before continue, over HTTP and over WebSocket.
            assertTrue(send(signedIn, request("/tasks/nobody/events", token())));
            viewer.send("{\"type\":\"input\",\"chunk_b64\":\"eA==\",\"id\":1}");
            viewer.next();
            for (Socket socket : sockets.subList(1, sockets.size() - HttpLimits.STRANGERS)) {
                awaitEnd(socket);
            }
            assertAnswered();
        }
    }

    /** All come while the event loop is busy. */
    @Test
    void aRequestThatHasArrivedIsReadBeforeOthersEvictIt() throws IOException {
        var idle = new CountDownLatch(1);
        for (EventExecutor loop : ((VertxInternal) edge.vertx).nettyEventLoopGroup()) {
            loop.execute(() -> {
                try {
                    idle.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        Socket caller = connect("127.0.0.1", request("/tasks/nobody", token()));
        for (int i = 0; i < 2 * HttpLimits.STRANGERS; i++) {
            connect("127.0.0.1", TRICKLED);
        }
        idle.countDown();
        assertTrue(head(caller).startsWith("HTTP/1.1 404 "));
        awaitEnd(sockets.get(1));
    }

    @Test
    void strangerIsClosedAfterItsTimeout() throws IOException {
        String wrong = "Authorization: Bearer wrong\r\n";
        connect("127.0.0.1", "");
        connect("127.0.0.1", TRICKLED);
        connect("127.0.0.1", request("/openapi.json", ""));
        connect("127.0.0.1", request("/tasks", wrong));
        connect("127.0.0.1", "POST /tasks HTTP/1.1\r\nHost: localhost\r\n" + wrong + "Content-Length: 1000\r\n\r\n{");
        connect(
                "127.0.0.1",
                "POST /tasks HTTP/1.1\r\nHost: localhost\r\n" + wrong + "Transfer-Encoding: chunked\r\n\r\n1\r\n{");
        connect(
                "127.0.0.1",
                "GET /tasks/x/attach HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\n\r\n");
        Socket signedIn = connect("127.0.0.1", request("/tasks/nobody", token()));
        head(signedIn);
        for (Socket socket : sockets.subList(0, sockets.size() - 1)) {
            awaitEnd(socket);
        }
        // A client sees the end of its connection before the server has counted it.
        while (edge.connections.strangers() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(1, edge.connections.open());
        assertTrue(send(signedIn, request("/tasks/nobody", token())));
    }

    @Test
    void connectionBeyondTheLimitIsRefusedWithAReason() throws IOException {
        for (int i = 0; i < HttpLimits.CONNECTIONS; i++) {
            assertTrue(head(connect("127.0.0.1", request("/tasks/nobody", token())))
                    .startsWith("HTTP/1.1 404 "));
        }
        String answer = edge.raw(request("/tasks", token()));
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("and takes no more"), answer);
    }

    @Test
    void strangersOfOneAddressEvictOnlyEachOther() throws IOException {
        Socket other = connect("127.0.0.1", TRICKLED);
        for (int i = 0; i < 2 * HttpLimits.STRANGERS; i++) {
            connect("127.0.0.2", TRICKLED);
        }
        awaitEnd(sockets.get(1));
        assertTrue(send(other, "x\r\n" + token() + "\r\n"));
        assertTrue(head(other).startsWith("HTTP/1.1 200 "));
    }
}
