package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.api.Documented;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each operation takes the credentials that the document has for it, under the one spelling that the document has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class RightsTest {

    private static final JsonArray USUAL = Documented.DOCUMENT.getJsonArray("security");

    private RunningEdge edge;
    private final Map<String, String> headers = new LinkedHashMap<>();

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        headers.put("none", "");
        headers.put("wrong", "Authorization: Bearer " + edge.token + "x\r\n");
        headers.put("token", "Authorization: Bearer " + edge.token + "\r\n");
        headers.put("answer_token", "Authorization: Bearer " + edge.answerToken + "\r\n");
        headers.put("session", "Cookie: " + session() + "\r\n");
    }

    private String session() {
        Matcher cookie = Pattern.compile("(?i)set-cookie: (penstock-[^;]+);")
                .matcher(ask("POST", "/session", "Authorization: Bearer " + edge.token + "\r\n"));
        assertTrue(cookie.find());
        return cookie.group(1);
    }

    private String ask(String method, String path, String header) {
        return edge.raw(request(method, path, header));
    }

    private static String request(String method, String path, String header) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n"
                + header + "\r\n";
    }

    private static int status(String answer) {
        return Integer.parseInt(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3));
    }

    private static Set<String> needed(Documented.Operation operation) {
        return operation.json().getJsonArray("security", USUAL).stream()
                .flatMap(each -> ((JsonObject) each).fieldNames().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String path(Documented.Operation operation) {
        return operation
                .path()
                .replace("{id}", "nobody")
                .replace("{stream}", "stdout")
                .replace("{name}", "artifact_store");
    }

    @Test
    void operationsTakeTheCredentialsOfTheDocument() {
        for (Documented.Operation operation : Documented.operations()) {
            Set<String> needed = needed(operation);
            headers.forEach((credential, header) -> {
                // Signing out is shown elsewhere; here the session is used to the end.
                if (Set.of("closeSession", "closeAllSessions").contains(operation.id())
                        && Set.of("session", "token").contains(credential)) {
                    return;
                }
                String query = operation.id().startsWith("attach") ? "?rights=view" : "";
                int status = status(edge.rawHead(request(operation.method(), path(operation) + query, header)));
                String what = operation.id() + " with " + credential;
                if (needed.isEmpty() || needed.contains(credential)) {
                    assertTrue(status != 401 && status != 403, what + ": " + status);
                } else {
                    boolean known = !Set.of("none", "wrong").contains(credential);
                    assertEquals(known ? 403 : 401, status, what);
                }
            });
        }
    }

    @Test
    void onlyTheAnswerTokenAnswersAndElseItOnlyReads() {
        for (Documented.Operation operation : Documented.operations()) {
            Set<String> needed = needed(operation);
            boolean reads = Set.of("GET", "HEAD").contains(operation.method());
            if (operation.id().equals("answerQuestion")) {
                assertEquals(Set.of("answer_token"), needed);
            } else if (!needed.isEmpty()) {
                assertTrue(needed.contains("token"), operation.id());
                assertEquals(reads, needed.contains("answer_token"), operation.id());
            }
        }
    }

    private static List<String> oddSpellings(String path) {
        int last = path.lastIndexOf('/');
        char letter = path.charAt(path.length() - 1);
        String escaped = path.substring(0, path.length() - 1) + "%" + Integer.toHexString(letter);
        return List.of(
                path + "/",
                path + "//",
                path + "/?x=1",
                path + "/.",
                path + "/x/..",
                "/" + path,
                "/." + path,
                "/x/.." + path,
                "/assets/.." + path,
                "/healthz/.." + path,
                path.substring(0, last) + "/" + path.substring(last),
                path + ";a=b",
                path + ";",
                path + "%2f",
                path + "%00",
                path + "%20",
                path + "\\",
                path + "#x",
                path + "#x?y",
                escaped,
                path.substring(0, last) + "%2f" + path.substring(last + 1),
                path.substring(0, last) + "/%2e%2e" + path,
                path.toUpperCase(),
                "http://localhost" + path,
                path.substring(1),
                path + "%",
                path + "%zz");
    }

    @Test
    void routesHaveOneSpelling() {
        for (Documented.Operation operation : Documented.operations()) {
            for (String spelling : oddSpellings(path(operation))) {
                headers.forEach((credential, header) -> {
                    String answer = ask(operation.method(), spelling, header);
                    int status = status(answer);
                    String what = operation.method() + " " + spelling + " with " + credential + ": " + answer;
                    assertTrue(status == 404 || status == 400, what);
                    if (!operation.method().equals("HEAD")) {
                        assertTrue(answer.contains("\"INVALID_REQUEST\""), what);
                    }
                });
            }
        }
    }

    @Test
    void methodWithoutAnOperationIsRefused() {
        Set<String> known = Documented.operations().stream()
                .map(operation -> operation.method() + " " + operation.path())
                .collect(Collectors.toSet());
        for (Documented.Operation operation : Documented.operations()) {
            for (String method : List.of("PUT", "PATCH", "OPTIONS", "TRACE", "post", "ANSWER")) {
                if (known.contains(method + " " + operation.path())) {
                    continue;
                }
                headers.forEach((credential, header) -> assertEquals(
                        405, status(ask(method, path(operation), header)), method + " " + operation.path()));
            }
        }
    }
}
