package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only those with the token are let in, and only where the server was asked for by a name of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class WhoMayAskTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    private String ask(String request, String... headers) {
        String answer = edge.raw(request + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                + (headers.length == 0 ? "" : "\r\n") + "Connection: close\r\n\r\n");
        assertFalse(answer.contains(edge.token), "the answer contains the token");
        return answer;
    }

    private String token() {
        return "Authorization: Bearer " + edge.token;
    }

    @Test
    void tokenIsAccepted() {
        assertTrue(ask("GET /tasks", "Host: localhost", token()).startsWith("HTTP/1.1 200"));
        assertTrue(ask("GET /tasks", "Host: localhost", "authorization: bearer  " + edge.token)
                .startsWith("HTTP/1.1 200"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -                                  | This needs the access token
            Bearer                             | must be "Bearer TOKEN"
            Basic dXNlcjpwYXNz                 | must be "Bearer TOKEN"
            Bearer wrong                       | This is not the access token
            Bearer TOKENx                      | This is not the access token
            """)
    void otherCredentialsAreRefused(String header, String sentence) {
        for (String request : new String[] {"GET /tasks", "POST /tasks", "GET /tasks/x/events", "DELETE /session"}) {
            String answer = header == null
                    ? ask(request, "Host: localhost")
                    : ask(request, "Host: localhost", "Authorization: " + header.replace("TOKEN", edge.token));
            assertTrue(answer.startsWith("HTTP/1.1 401"), request + ": " + answer);
            assertTrue(answer.contains("www-authenticate: Bearer\r\n"), answer);
            JsonObject error = new JsonObject(answer.substring(answer.indexOf("\r\n\r\n") + 4)).getJsonObject("error");
            assertEquals("PERMISSION_DENIED", error.getString("code"));
            assertTrue(error.getString("message").contains(sentence), error::encode);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/docs", "/healthz", "/readyz", "/assets/app.js"})
    void healthAndPagesNeedNoToken(String path) {
        // They are not part of this edge: that they are not found here shows that they were let through.
        assertTrue(ask("GET " + path, "Host: localhost").startsWith("HTTP/1.1 404"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "localhost:7341", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:7341"
            })
    void ownHostNamesAreAccepted(String host) {
        assertTrue(ask("GET /tasks", "Host: " + host, token()).startsWith("HTTP/1.1 200"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:7341",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1"
            })
    void otherNamesOfThisMachineAreRefused(String host) {
        String answer = ask("GET /tasks", "Host: " + host, token());
        assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
        assertTrue(answer.contains("This server is not called"), answer);
        assertTrue(ask("GET /healthz", "Host: " + host).startsWith("HTTP/1.1 403"));
    }

    private String attaching(String query, String token) {
        return edge.raw("GET /tasks/unknown/attach" + query
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nConnection: close\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\n"
                + "Authorization: Bearer " + token + "\r\n\r\n");
    }

    @Test
    void answerTokenAttachesForViewingOnly() {
        for (String query : List.of("", "?rights=control", "?rights=view&rights=control", "?rights=")) {
            String answer = attaching(query, edge.answerToken);
            assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
            assertTrue(answer.contains("permits attaching only with rights=view"), answer);
        }
        assertTrue(attaching("?rights=view", edge.answerToken).startsWith("HTTP/1.1 404"));
        assertTrue(attaching("", edge.token).startsWith("HTTP/1.1 404"));
    }

    @Test
    void missingOrRepeatedHostIsRefused() {
        for (String answer : new String[] {
            ask("GET /tasks", token()),
            ask("GET /tasks", "Host: ", token()),
            ask("GET /tasks", "Host: user@localhost", token()),
            ask("GET /tasks", "Host: localhost:port", token()),
            ask("GET /tasks", "Host: localhost", "Host: evil.example", token())
        }) {
            assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
            assertTrue(answer.contains("\"code\":\"INVALID_REQUEST\""), answer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:7341, localhost:7341, 200",
        "http://localhost, localhost, 200",
        "https://localhost, localhost, 200",
        "http://localhost:80, localhost, 200",
        "http://[::1]:7341, [::1]:7341, 200",
        "http://evil.example, localhost:7341, 403",
        "http://localhost:3000, localhost:7341, 403",
        "http://127.0.0.1:7341, localhost:7341, 403",
        "null, localhost:7341, 403",
        "file://, localhost, 403"
    })
    void onlyOwnOriginsAreAccepted(String origin, String host, int status) {
        String answer = ask("GET /tasks", "Host: " + host, "Origin: " + origin, token());
        assertTrue(answer.startsWith("HTTP/1.1 " + status), answer);
        assertFalse(answer.toLowerCase(java.util.Locale.ROOT).contains("access-control-allow"), answer);
    }

    @Test
    void browserSignsInOnceAndReturnsWithACookie() {
        String opened = ask("POST /session", "Host: localhost", "Content-Length: 0", token());
        Matcher set = Pattern.compile("(?i)set-cookie: ((penstock-[^=]+)=[^;]+); ([^\r]+)")
                .matcher(opened);
        assertTrue(set.find(), opened);
        for (String guarded : new String[] {"HTTPOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000"}) {
            assertTrue(set.group(3).contains(guarded), opened);
        }
        String cookie = "Cookie: other=1; " + set.group(1);
        assertTrue(ask("GET /tasks", "Host: localhost", cookie).startsWith("HTTP/1.1 200"));
        assertTrue(ask("GET /tasks", "Host: localhost:7341", cookie, "Origin: http://localhost:7341")
                .startsWith("HTTP/1.1 200"));
        assertTrue(ask("POST /tasks", "Host: localhost", cookie, "Content-Length: 0")
                .startsWith("HTTP/1.1 4"));
        assertTrue(ask("GET /tasks", "Host: localhost", cookie, "Sec-Fetch-Site: same-origin")
                .startsWith("HTTP/1.1 200"));

        assertTrue(ask("GET /tasks", "Host: localhost", cookie, "Origin: http://localhost:3000")
                .startsWith("HTTP/1.1 403"));
        assertTrue(ask("GET /tasks", "Host: localhost", cookie, "Sec-Fetch-Site: same-site")
                .startsWith("HTTP/1.1 403"));
        assertTrue(ask("POST /tasks/x/answer", "Host: localhost", cookie, "Content-Length: 0")
                .startsWith("HTTP/1.1 403"));
        // A request with a token is identified by it, and by nothing else.
        assertTrue(ask("GET /tasks", "Host: localhost", cookie, "Authorization: Bearer wrong")
                .startsWith("HTTP/1.1 401"));

        String closed = ask("DELETE /session", "Host: localhost", "Content-Length: 0", cookie);
        assertTrue(closed.contains(set.group(2) + "=;"), closed);
        assertTrue(closed.contains("Max-Age=0"), closed);
        // A cookie that was kept gives no access after that, and is not renewed.
        assertTrue(ask("GET /tasks", "Host: localhost", cookie).startsWith("HTTP/1.1 401"));
        assertTrue(ask("POST /tasks", "Host: localhost", cookie, "Content-Length: 0")
                .startsWith("HTTP/1.1 401"));
        assertTrue(ask("POST /session", "Host: localhost", cookie, "Content-Length: 0")
                .startsWith("HTTP/1.1 401"));
    }

    private String signedIn() {
        String opened = ask("POST /session", "Host: localhost", "Content-Length: 0", token());
        Matcher set = Pattern.compile("(?i)set-cookie: (penstock-[^;]+);").matcher(opened);
        assertTrue(set.find(), opened);
        return "Cookie: " + set.group(1);
    }

    @Test
    void tokenOrCookieSignsAllBrowsersOut() {
        for (boolean withCookie : new boolean[] {false, true}) {
            String one = signedIn();
            String other = signedIn();
            assertTrue(ask("GET /tasks", "Host: localhost", other).startsWith("HTTP/1.1 200"));
            assertTrue(ask("POST /session", "Host: localhost", other, "Content-Length: 0")
                    .startsWith("HTTP/1.1 403"));
            assertTrue(ask("DELETE /session/all", "Host: localhost").startsWith("HTTP/1.1 401"));
            assertTrue(ask("DELETE /session/all", "Host: localhost", "Authorization: Bearer " + edge.answerToken)
                    .startsWith("HTTP/1.1 403"));
            assertTrue(ask("DELETE /session/all", "Host: localhost", withCookie ? one : token())
                    .startsWith("HTTP/1.1 200"));
            for (String cookie : List.of(one, other)) {
                assertTrue(ask("GET /tasks", "Host: localhost", cookie).startsWith("HTTP/1.1 401"));
            }
            assertTrue(ask("GET /tasks", "Host: localhost", token()).startsWith("HTTP/1.1 200"));
        }
    }

    /** Its cookies are bound to the host, but not to the port. */
    @Test
    void aBrowserIsSignedInToTwoServersOfOneHostAndOutOfEachByItself(@TempDir Path folder) throws Exception {
        try (var other = new RunningEdge(folder);
                var browser = HttpClient.newBuilder()
                        .cookieHandler(new CookieManager())
                        .build()) {
            for (RunningEdge server : List.of(edge, other)) {
                HttpRequest opens =
                        server.to("/session").POST(BodyPublishers.noBody()).build();
                assertEquals(200, status(browser, opens));
            }
            assertEquals(200, status(browser, withoutToken(edge, "/tasks")));
            assertEquals(200, status(browser, withoutToken(other, "/tasks")));
            HttpRequest closes = HttpRequest.newBuilder(withoutToken(other, "/session"), (name, value) -> true)
                    .DELETE()
                    .build();
            assertEquals(200, status(browser, closes));
            assertEquals(200, status(browser, withoutToken(edge, "/tasks")));
            assertEquals(401, status(browser, withoutToken(other, "/tasks")));
        }
    }

    private static HttpRequest withoutToken(RunningEdge server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }

    private static int status(HttpClient browser, HttpRequest request) throws IOException, InterruptedException {
        return browser.send(request, BodyHandlers.discarding()).statusCode();
    }

    @Test
    void foreignOrChangedCookieIsRefused() {
        String opened = ask("POST /session", "Host: localhost", "Content-Length: 0", token());
        Matcher set =
                Pattern.compile("(?i)set-cookie: (penstock-[^=]+)=([^;]+);").matcher(opened);
        assertTrue(set.find(), opened);
        String value = set.group(2);
        for (String other : new String[] {
            "",
            "x",
            value + "x",
            value.substring(0, value.length() - 2),
            value.toLowerCase(java.util.Locale.ROOT),
            // As earlier versions made them, with their end in them.
            "2000000000." + value,
            edge.token
        }) {
            String answer = ask("GET /tasks", "Host: localhost", "Cookie: " + set.group(1) + "=" + other);
            assertTrue(answer.startsWith("HTTP/1.1 401"), other + ": " + answer);
        }
        assertTrue(ask("POST /session", "Host: localhost", "Content-Length: 0").startsWith("HTTP/1.1 401"));
    }
}
