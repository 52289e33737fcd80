package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.webhook.WebhookReceiver;
import io.penstock.server.webhook.WebhookReceiver.Received;
import io.penstock.server.webhook.WebhookTimes;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks of sessions with real receivers, which fail in every way. */
class WebhooksTest {

    private static final String SECRET =
            "whsec_" + Base64.getEncoder().encodeToString("k".repeat(32).getBytes(StandardCharsets.US_ASCII));

    @TempDir
    Path folder;

    private RunningEdge edge;
    private WebhookReceiver receiver;

    @BeforeEach
    void start() {
        edge = new RunningEdge(folder);
        receiver = new WebhookReceiver();
    }

    @AfterEach
    void close() {
        edge.close();
        receiver.close();
    }

    private String run(String session, String command) {
        String task = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", "pipes")
                .put("origin_session_id", session)
                .put("args", new JsonObject().put("command", command)));
        edge.ended(task);
        return task;
    }

    private HttpResponse<String> put(String session, JsonObject webhook) {
        return edge.send(edge.to("/sessions/" + session + "/webhook")
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString(webhook.encode()))
                .build());
    }

    private JsonObject set(String session, String url) {
        return json(put(session, new JsonObject().put("url", url).put("secret", SECRET)));
    }

    private static JsonObject json(HttpResponse<String> answer) {
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    private JsonObject webhook(String session) {
        return json(edge.get("/sessions/" + session + "/webhook"));
    }

    private List<JsonObject> frames(String session) {
        return edge.events("/sessions/" + session + "/events?until=now").stream()
                .map(RunningEdge.Event::frame)
                .toList();
    }

    /** The results of deliveries, once there are this many. */
    private List<String> results(String session, int count) {
        List<String> results = List.of();
        while (results.size() < count) {
            results = frames(session).stream()
                    .filter(frame -> frame.getString("type").equals("session_webhook_delivery"))
                    .map(frame -> frame.getString("result"))
                    .toList();
        }
        return results;
    }

    @Test
    void itemIsPostedAsACloudEventWithItsSnippet() throws Exception {
        set("s", receiver.url("/hook?token=abc"));
        String task = run("s", "echo hello");
        Received got = receiver.next();
        assertEquals("/hook?token=abc", got.path());
        assertEquals(
                "application/cloudevents+json; charset=utf-8", got.headers().get("content-type"));
        JsonObject event = got.event();
        assertEquals("1.0", event.getString("specversion"));
        assertEquals("/sessions/s", event.getString("source"));
        assertEquals("io.penstock.tool_ended", event.getString("type"));
        assertEquals(task, event.getString("subject"));
        assertEquals("application/json", event.getString("datacontenttype"));
        assertTrue(event.getInstant("time").isAfter(java.time.Instant.EPOCH));
        JsonObject data = event.getJsonObject("data");
        assertEquals("hello\n", data.getString("snippet"));
        assertEquals("succeeded", data.getString("outcome"));
        assertEquals(data.getString("key"), event.getString("id"));
        assertEquals(event.getString("id"), got.id());
        assertEquals(List.of("delivered"), results("s", 1));
        assertEquals(0, webhook("s").getInteger("waiting"));
        // The mailbox's owner acknowledges on its own.
        assertEquals(1, json(edge.get("/sessions/s")).getInteger("mailbox_waiting"));
    }

    @Test
    void signatureIsThatOfStandardWebhooks() throws Exception {
        set("s", receiver.url("/"));
        run("s", "echo grün");
        Received got = receiver.next();
        String signed = got.id() + "." + got.headers().get("webhook-timestamp") + "." + got.body();
        assertEquals("v1," + opensslHmac(signed, "k".repeat(32)), got.headers().get("webhook-signature"));
        long seconds = Long.parseLong(String.valueOf(got.headers().get("webhook-timestamp")));
        assertTrue(Math.abs(System.currentTimeMillis() / 1000 - seconds) < 60);
    }

    /** By another implementation. */
    private static String opensslHmac(String text, String key) throws IOException, InterruptedException {
        Process openssl = new ProcessBuilder(
                        "openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "key:" + key, "-binary")
                .start();
        try (var in = openssl.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        }
        byte[] mac = openssl.getInputStream().readAllBytes();
        assertEquals(0, openssl.waitFor());
        return Base64.getEncoder().encodeToString(mac);
    }

    @Test
    void failedItemIsSentAgainBeforeTheNext() throws Exception {
        var failures = new AtomicInteger(3);
        receiver.behave((request, got) -> request.response()
                .setStatusCode(failures.getAndDecrement() > 0 ? 500 : 204)
                .end());
        set("s", receiver.url("/"));
        List<String> tasks = Stream.of("true", "false", "exit 3")
                .map(command -> run("s", command))
                .toList();
        List<String> subjects = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            subjects.add(receiver.next().event().getString("subject"));
        }
        String first = tasks.getFirst();
        assertEquals(List.of(first, first, first, first, tasks.get(1), tasks.get(2)), subjects);
        assertEquals(List.of("delivered", "delivered", "delivered"), results("s", 3));
        assertNull(webhook("s").getString("last_error"));
    }

    @Test
    void itemThatIsNeverTakenBecomesADeadLetterAndTheNextIsSent() throws Exception {
        receiver.behave(WebhookReceiver.status(500));
        set("s", receiver.url("/"));
        String dead = run("s", "echo lost");
        for (int i = 0; i < 4; i++) {
            assertEquals(dead, receiver.next().event().getString("subject"));
        }
        assertEquals(List.of("dead"), results("s", 1));
        receiver.behave(WebhookReceiver.status(200));
        String next = run("s", "true");
        assertEquals(next, receiver.next().event().getString("subject"));
        results("s", 2);

        JsonObject letters = json(edge.get("/sessions/s/dead-letters"));
        assertEquals(1, letters.getInteger("total"));
        JsonObject letter = letters.getJsonArray("dead_letters").getJsonObject(0);
        assertEquals(4, letter.getInteger("attempts"));
        assertEquals(500, letter.getInteger("http_status"));
        assertEquals("the receiver answered 500", letter.getString("error"));
        assertEquals(dead, letter.getJsonObject("item").getString("task_id"));
        assertEquals(1, webhook("s").getInteger("dead_letters"));

        assertEquals(1, json(edge.post("/sessions/s/dead-letters/resend", "{}")).getInteger("again"));
        assertEquals(dead, receiver.next().event().getString("subject"));
        assertEquals(List.of("dead", "delivered", "again", "delivered"), results("s", 4));
        assertEquals(0, webhook("s").getInteger("dead_letters"));
        assertEquals(new JsonArray(), json(edge.get("/sessions/s/dead-letters")).getJsonArray("dead_letters"));
        assertEquals(0, json(edge.post("/sessions/s/dead-letters/resend", "{}")).getInteger("again"));
    }

    @Test
    void statusHasTheAttemptsOfTheItemThatWaits() throws Exception {
        receiver.behave((request, got) -> request.response()
                .setStatusCode(503)
                .putHeader("retry-after", "1000")
                .end());
        assertEquals(0, set("s", receiver.url("/")).getInteger("attempts"));
        run("s", "true");
        receiver.next();
        JsonObject status = webhook("s");
        while (status.getInteger("attempts") == 0) {
            status = webhook("s");
        }
        assertEquals(1, status.getInteger("attempts"));
        assertEquals("the receiver answered 503", status.getString("last_error"));
        assertTrue(status.getLong("next_attempt_at_ms") > System.currentTimeMillis() + 900_000, status::encode);
    }

    @Test
    void deadLettersAreListedByPages() throws Exception {
        receiver.behave(WebhookReceiver.status(410));
        set("s", receiver.url("/"));
        for (int i = 0; i < 3; i++) {
            run("s", "true");
        }
        results("s", 3);
        JsonObject first = json(edge.get("/sessions/s/dead-letters?limit=2"));
        assertEquals(2, first.getJsonArray("dead_letters").size());
        JsonObject second = json(edge.get("/sessions/s/dead-letters?from_seq=" + first.getLong("next_seq")));
        assertEquals(1, second.getJsonArray("dead_letters").size());
        assertNull(second.getLong("next_seq"));
        long seq = second.getJsonArray("dead_letters").getJsonObject(0).getLong("item_seq");
        assertEquals(
                1,
                json(edge.post("/sessions/s/dead-letters/resend", "{\"item_seq\":" + seq + "}"))
                        .getInteger("again"));
        assertEquals(
                400,
                edge.post("/sessions/s/dead-letters/resend", "{\"item_seq\":0}").statusCode());
        for (int i = 0; i < 4; i++) {
            assertEquals("io.penstock.tool_ended", receiver.next().event().getString("type"));
        }
        assertEquals(List.of("dead", "dead", "dead", "again", "dead"), results("s", 5));
        assertEquals(3, webhook("s").getInteger("dead_letters"));
    }

    @Test
    void goneReceiverIsAskedOnce() throws Exception {
        receiver.behave(WebhookReceiver.status(410));
        set("s", receiver.url("/"));
        run("s", "true");
        assertEquals(List.of("dead"), results("s", 1));
        receiver.next();
        assertTrue(receiver.isIdle());
    }

    @Test
    void redirectIsNotFollowed() throws Exception {
        try (var inner = new WebhookReceiver()) {
            receiver.behave((request, got) -> request.response()
                    .setStatusCode(307)
                    .putHeader("location", inner.url("/metadata"))
                    .end());
            set("s", receiver.url("/"));
            run("s", "true");
            assertEquals(List.of("dead"), results("s", 1));
            assertTrue(inner.isIdle());
            assertTrue(letterError("s").contains("redirects (307)"), letterError("s"));
        }
    }

    private String letterError(String session) {
        return json(edge.get("/sessions/" + session + "/dead-letters"))
                .getJsonArray("dead_letters")
                .getJsonObject(0)
                .getString("error");
    }

    @Test
    void receiverThatHangsDelaysOnlyItsOwnSession() throws Exception {
        edge.close();
        edge = new RunningEdge(Files.createDirectory(folder.resolve("impatient")), new WebhookTimes(4, 20, 100, 1_000));
        receiver.behave((request, got) -> {
            if (!got.path().equals("/hang")) {
                request.response().end();
            }
        });
        set("hanging", receiver.url("/hang"));
        set("quick", receiver.url("/quick"));
        run("hanging", "true");
        run("quick", "true");
        assertEquals(List.of("delivered"), results("quick", 1));
        assertEquals(List.of("dead"), results("hanging", 1));
        assertEquals("the receiver did not answer within 1000 ms", letterError("hanging"));
    }

    @Test
    void endlessAnswerIsCutOffAndItsStatusCounts() throws Exception {
        receiver.behave((request, got) -> {
            var response = request.response().setChunked(true);
            response.exceptionHandler(cut -> {});
            endless(response);
        });
        set("s", receiver.url("/"));
        run("s", "true");
        assertEquals(List.of("delivered"), results("s", 1));
        receiver.behave(WebhookReceiver.status(200));
        run("s", "true");
        assertEquals(List.of("delivered", "delivered"), results("s", 2));
    }

    private static void endless(io.vertx.core.http.HttpServerResponse response) {
        response.write("x".repeat(16 * 1024)).onSuccess(written -> endless(response));
    }

    @Test
    void receiverWithAnUnknownCertificateIsSentNothing() throws Exception {
        try (WebhookReceiver secure = WebhookReceiver.withTls(folder)) {
            set("s", "https://localhost:" + secure.port() + "/");
            run("s", "true");
            assertEquals(List.of("dead"), results("s", 1));
            assertTrue(letterError("s").contains("certification path"), letterError("s"));
            assertTrue(secure.isIdle());
        }
    }

    @Test
    void retryAfterIsHonoured() throws Exception {
        var times = new ArrayList<Long>();
        receiver.behave((request, got) -> {
            times.add(System.nanoTime());
            if (times.size() == 1) {
                request.response()
                        .setStatusCode(503)
                        .putHeader("retry-after", "1")
                        .end();
            } else {
                request.response().end();
            }
        });
        set("s", receiver.url("/"));
        run("s", "true");
        results("s", 1);
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(times.get(1) - times.get(0));
        assertTrue(waitedMs >= 1_000, waitedMs + " ms");
    }

    @Test
    void receiverThatReturnsGetsEverythingInOrder() throws Exception {
        // A port that is bound refuses connections until a server listens, and no other process gets it.
        try (var port = new Socket()) {
            port.setReuseAddress(true);
            port.bind(new InetSocketAddress("127.0.0.1", 0));
            set("s", "http://127.0.0.1:" + port.getLocalPort() + "/");
            run("s", "true");
            // Refused connections make it a dead letter.
            assertEquals(List.of("dead"), results("s", 1));
            try (var returned = new WebhookReceiver(port.getLocalPort())) {
                List<String> tasks = IntStream.range(0, 5)
                        .mapToObj(i -> run("s", "exit " + i))
                        .toList();
                List<String> got = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    got.add(returned.next().event().getString("subject"));
                }
                assertEquals(tasks, got);
            }
        }
    }

    @Test
    void neitherSecretNorPathIsShownOrRecorded() throws Exception {
        JsonObject webhook = set("s", receiver.url("/path-secret?query-secret"));
        assertEquals("http://127.0.0.1:" + receiver.port(), webhook.getString("target"));
        assertEquals("given", webhook.getString("secret"));
        run("s", "true");
        results("s", 1);
        String shown =
                frames("s").toString() + webhook("s") + edge.get("/sessions/s").body();
        assertFalse(shown.contains("secret?") || shown.contains("path-secret") || shown.contains(SECRET), shown);
        try (Stream<Path> files = Files.list(folder.resolve("webhooks"))) {
            for (Path file : files.toList()) {
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("webhook-key"))));
    }

    @Test
    void removedWebhookIsSentNothing() throws Exception {
        set("s", receiver.url("/"));
        JsonObject removed =
                json(edge.send(edge.to("/sessions/s/webhook").DELETE().build()));
        assertNull(removed.getString("target"));
        run("s", "true");
        assertEquals(409, edge.post("/sessions/s/dead-letters/resend", "{}").statusCode());
        set("s", receiver.url("/"));
        assertEquals("io.penstock.tool_ended", receiver.next().event().getString("type"));
        results("s", 1);
        assertTrue(receiver.isIdle());
    }

    @Test
    void wrongWebhooksAreRefused() {
        for (String url : List.of(
                "ftp://example.com/",
                "example.com",
                "https://",
                "https://user:hunter2@example.com/",
                "https://example.com/#part",
                "https://exämple.com/",
                "https://example.com:99999/",
                "http://[fe80::1%25eth0]/",
                "https://a b/",
                "https://example.com/" + "x".repeat(2_048))) {
            HttpResponse<String> answer = put("s", new JsonObject().put("url", url));
            assertEquals(400, answer.statusCode(), url + answer.body());
            assertFalse(answer.body().contains("hunter2"), answer.body());
        }
        for (String secret : List.of("", "secret", "whsec_", "whsec_abc", "whsec_" + "A".repeat(200), "k".repeat(32))) {
            JsonObject webhook = new JsonObject().put("url", receiver.url("/")).put("secret", secret);
            assertEquals(400, put("s", webhook).statusCode(), secret);
        }
        assertEquals(404, edge.get("/sessions/none/webhook").statusCode());
        assertEquals(
                400, put("-x", new JsonObject().put("url", receiver.url("/"))).statusCode());
    }
}
