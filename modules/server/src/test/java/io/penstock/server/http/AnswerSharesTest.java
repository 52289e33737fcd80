package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.frames.Actor;
import io.penstock.server.attach.BareSocket;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every answer that may be large takes its share of the memory before it is made, and gives it back. */
@Tag("BOUNDED")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class AnswerSharesTest {

    private static final long LIMIT_BYTES = 1024 * 1024;

    /** Nothing waits: an answer without memory is refused at once. */
    private final AnswerBudget budget = new AnswerBudget(LIMIT_BYTES, 1, 60_000);

    private RunningEdge edge;
    private String task = "";

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder(), Policy.LOCAL, Quotas.DEFAULT, budget));
        task = edge.spawn("echo hello; read line", "pty");
        edge.await(task, "\"chunk\":\"hello");
        await(edge.sessions.use("shares", Actor.user("tester")));
    }

    private AnswerBudget.Share all(AnswerBudget.Kind kind) {
        return await(budget.acquire(edge.vertx, kind, "all", LIMIT_BYTES, () -> {}));
    }

    @ParameterizedTest
    @CsvSource({
        "LIST, /tasks",
        "LIST, /tasks/{task}/policy",
        "LIST, /sessions",
        "LIST, /sessions/shares/mailbox",
        "OUTPUT, /tasks/{task}/output",
        "SCREEN, /tasks/{task}/screen",
        "SCREEN, /tasks/{task}/screen?format=ansi",
        "SCREEN, /tasks/{task}/screen?at_seq=2",
        "RECORDING, /tasks/{task}/recording.cast"
    })
    void answerNeedsItsShare(AnswerBudget.Kind kind, String path) {
        AnswerBudget.Share all = all(kind);
        HttpResponse<String> refused = edge.get(path.replace("{task}", task));
        assertEquals(503, refused.statusCode(), refused::body);
        assertTrue(refused.headers().firstValue("retry-after").isPresent());
        all.giveBack();
        assertEquals(200, edge.get(path.replace("{task}", task)).statusCode());
        while (budget.takenBytes() > 0) {
            Thread.onSpinWait();
        }
    }

    /** It would hold for a day the memory of outputs, or of bodies, if it were of their kind, or if its body were counted in full. */
    @Test
    void runToTheEndLeavesTheMemoryOfOutputsAndBodies() throws Exception {
        Path gate = edge.workspace.resolve("gate");
        assertEquals(0, new ProcessBuilder("mkfifo", gate.toString()).start().waitFor());
        String call = "{\"command\": \"cat gate\"}";
        byte[] body = (call + " ".repeat(HttpLimits.SMALL_BODY_BYTES)).getBytes(StandardCharsets.UTF_8);
        // Without its length, so that all memory of a body is taken while it is read.
        HttpRequest.BodyPublisher unknownLength =
                HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
        var answer = edge.sendAsync(edge.to("/tools/shell")
                .header("content-type", "application/json")
                .POST(unknownLength)
                .build());
        try (OutputStream open = Files.newOutputStream(gate)) {
            assertTrue(budget.takenBytes() <= LIMIT_BYTES / 2, budget::toString);
            AnswerBudget.Share outputs = all(AnswerBudget.Kind.OUTPUT);
            outputs.giveBack();
            open.write("over\n".getBytes(StandardCharsets.UTF_8));
        }
        assertTrue(answer.get(30, TimeUnit.SECONDS).body().contains("over"));
        while (budget.takenBytes() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void viewerThatBeginsWithAScreenNeedsItsShare() throws IOException {
        URI address = URI.create("http://127.0.0.1:" + edge.port());
        String path = "/tasks/" + task + "/attach?screen=10";
        AnswerBudget.Share all = all(AnswerBudget.Kind.VIEWER);
        try (var socket = new BareSocket(address, path, "penstock.v1.binary", edge.token)) {
            socket.open();
            throw new AssertionError("attached without memory");
        } catch (IOException expected) {
            assertTrue(String.valueOf(expected.getMessage()).startsWith("HTTP/1.1 503"), expected::getMessage);
        }
        all.giveBack();
        try (var socket = new BareSocket(address, path, "penstock.v1.binary", edge.token)) {
            socket.open();
        }
        while (budget.takenBytes() > 0) {
            Thread.onSpinWait();
        }
    }
}
