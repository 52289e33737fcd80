package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskRequest;
import io.penstock.engine.screen.ScreenKeeper;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.server.BareSocket;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown while a viewer is served, it is told: no socket stays open with nobody behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenViewerTest {

    private static final String HIDDEN = "{\"type\":\"hidden\"}";
    private static final String SHOWN = "{\"type\":\"shown\"}";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final AtomicInteger left = new AtomicInteger();
    private final Rooms rooms = new Rooms(left::incrementAndGet);
    private ArtifactStore artifacts;
    private PumpDeployment pumps;
    private TaskApi tasks;
    private Screens screens;
    private String task = "";

    @BeforeAll
    void begin(@TempDir Path folder) {
        artifacts = ArtifactStore.open(folder.resolve("artifacts"));
        var log = new MemoryFrameLog(vertx);
        var keeper = new ScreenKeeper();
        pumps = await(PumpDeployment.start(
                vertx,
                new ListenedLog(log, List.of(keeper)),
                log,
                artifacts,
                new NativeSpawner(Optional.empty()),
                () -> Policy.LOCAL,
                Quotas.USUAL,
                false,
                folder,
                folder));
        tasks = pumps.tasks();
        screens = Screens.open(vertx, log, artifacts, keeper);
        task = await(tasks.spawn(new TaskRequest(
                "bash",
                new JsonText("{}"),
                List.of("bash", "-c", "stty -echo; while read line; do echo got $line; done"),
                Map.of(),
                null,
                "a test",
                null,
                ExecutionMode.PTY,
                new TerminalSize(24, 80),
                null,
                1L << 20,
                512L << 10,
                Duration.ofSeconds(120),
                Actor.user("tester"))));
        for (int i = 0; i < 10; i++) {
            await(tasks.stdin(task, "line\n".getBytes(StandardCharsets.UTF_8), Actor.user("tester")));
        }
    }

    @AfterAll
    void end() {
        await(pumps.stop());
        await(screens.close());
        await(vertx.close());
        artifacts.close();
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static String typed(int op) {
        return "{\"type\":\"stdin\",\"op\":" + op + ",\"text\":\"line\\n\"}";
    }

    /**
     * @param at where its language breaks
     * @param said when it is attached; and whenever something that it said is done, it looks away and back while it types
     */
    private record Fault(Set<String> at, String query, String... said) {
        @Override
        public String toString() {
            return String.join(" and ", at);
        }
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(Set.of("begin"), "tail=0"),
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
    void aSocketIsClosedWithWhatIsThrownBehindIt(Fault fault) throws IOException {
        for (Supplier<Throwable> broken :
                List.<Supplier<Throwable>>of(IllegalStateException::new, AssertionError::new)) {
            left.set(0);
            assertEquals(1011, closeCode(fault, broken));
            assertEquals(1, left.get());
            assertEquals(0, rooms.viewers(task).getJsonArray("viewers").size());
        }
    }

    private int closeCode(Fault fault, Supplier<Throwable> broken) throws IOException {
        AttachRoutes.Wires wires = (subprotocol, following) ->
                new BreakingWire(AttachRoutes.wire(tasks, subprotocol, following), fault.at(), broken);
        var routes = new AttachRoutes(tasks, screens, rooms, Actor.user("tester"), wires);
        Router router = Router.router(vertx);
        router.get("/tasks/:id/attach").handler(routes::attach);
        HttpServer server = await(vertx.createHttpServer(AttachRoutes.withSockets(new HttpServerOptions().setPort(0)))
                .requestHandler(router)
                .listen());
        URI address = URI.create("http://127.0.0.1:" + server.actualPort());
        String path = "/tasks/" + task + "/attach?" + fault.query();
        try (var socket = new BareSocket(address, path, "penstock.v1.json").open()) {
            for (String object : fault.said()) {
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
