package io.penstock.server.ws;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.attach.BareSocket;
import io.penstock.server.ws.wire.WsLimits;
import io.penstock.testbed.TestBed;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any exception while a viewer is served closes its socket: no socket stays open without a viewer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class BrokenViewerTest {

    private static final String HIDDEN = "{\"type\":\"hidden\"}";
    private static final String SHOWN = "{\"type\":\"shown\"}";

    private ServedTask served;

    @BeforeAll
    void start(TestBed bed) {
        served = bed.add(new ServedTask(bed.folder()));
    }

    private static String typed(int op) {
        return "{\"type\":\"stdin\",\"op\":" + op + ",\"text\":\"line\\n\"}";
    }

    /**
     * @param at where its wire throws
     * @param sent messages sent at the start; after each answer, the viewer is shown, hidden, and types again
     */
    private record Fault(Set<String> at, String query, String... sent) {
        @Override
        public String toString() {
            return String.join(" and ", at);
        }
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(Set.of("create"), "tail=0"),
                new Fault(Set.of("attach_ready"), "tail=0"),
                new Fault(Set.of("attach_caught_up"), "tail=0"),
                new Fault(Set.of("attach_viewers"), "tail=0"),
                new Fault(Set.of("few frames"), "tail=2"),
                new Fault(Set.of("many frames"), "from_seq=0"),
                new Fault(Set.of("spec"), "from_seq=0"),
                new Fault(Set.of("screen"), "screen=10"),
                new Fault(Set.of("text"), "tail=0", "x"),
                new Fault(Set.of("text", "close"), "tail=0", "x"),
                new Fault(Set.of("attach_refused"), "tail=0", "nonsense"),
                new Fault(Set.of("attach_done"), "tail=0", typed(1)),
                new Fault(Set.of("attach_fell_behind"), "tail=0", HIDDEN, typed(1)),
                new Fault(Set.of("screen"), "tail=0", HIDDEN, typed(1)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anyExceptionClosesTheSocket(Fault fault) throws IOException {
        for (Supplier<Throwable> exception :
                List.<Supplier<Throwable>>of(IllegalStateException::new, AssertionError::new)) {
            served.detached.set(0);
            assertEquals(1011, closeCode(fault, exception));
            assertEquals(1, served.detached.get());
            assertEquals(0, served.viewers());
        }
    }

    private int closeCode(Fault fault, Supplier<Throwable> exception) throws IOException {
        HttpServer server = served.serve(
                (subprotocol, range, text) -> new ThrowingWire(
                        AttachRoutes.wire(served.tasks, subprotocol, range, text), fault.at(), exception),
                WsLimits.PING_MS);
        try (BareSocket socket = served.attach(server, fault.query())) {
            for (String object : fault.sent()) {
                socket.send(object);
            }
            int op = 1;
            BareSocket.Message message = socket.next();
            while (message.opcode() != BareSocket.CLOSE) {
                if (message.text().contains("attach_done")) {
                    op++;
                    socket.send(SHOWN);
                    socket.send(HIDDEN);
                    socket.send(typed(op));
                }
                message = socket.next();
            }
            return message.closeCode();
        } finally {
            await(server.close());
        }
    }
}
