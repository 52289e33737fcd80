package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.server.attach.BareSocket;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The connections of a browser close when it signs out; those of others stay open. */
@ExtendWith(VertxExtension.class)
class SignedOutTest {

    private RunningEdge edge;
    private String task;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        task = edge.spawn("stty -echo; echo begun; while read line; do echo got $line; done", "pty");
        edge.await(task, "\"chunk\":\"begun");
    }

    private String signIn() {
        String opened = edge.raw("POST /session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: 0\r\nAuthorization: Bearer " + edge.token + "\r\n\r\n");
        Matcher set = Pattern.compile("(?i)set-cookie: (penstock-[^;]+);").matcher(opened);
        assertTrue(set.find(), opened);
        return "Cookie: " + set.group(1);
    }

    private void signOut(String path, String credential) {
        String answer = edge.raw("DELETE " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: 0\r\n" + credential + "\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }

    private BareSocket attach(String credential) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + edge.port());
        var socket = new BareSocket(credential, address, "/tasks/" + task + "/attach", "penstock.v1.json");
        readTo(socket.open(), "begun");
        return socket;
    }

    private static void readTo(BareSocket socket, String words) throws IOException {
        String seen = "";
        while (!seen.contains(words)) {
            BareSocket.Message message = socket.next();
            assertFalse(message.opcode() == BareSocket.CLOSE, () -> "closed with " + message.closeCode());
            seen = message.text();
        }
    }

    private static void assertClosed(BareSocket socket) throws IOException {
        BareSocket.Message message = socket.next();
        while (message.opcode() != BareSocket.CLOSE) {
            message = socket.next();
        }
        assertEquals(1008, message.closeCode());
        assertTrue(message.text().contains("signed out"), message.text());
    }

    private BufferedReader follow(String credential) throws IOException {
        return follow("/tasks/" + task + "/events", "begun", credential);
    }

    private BufferedReader follow(String path, String first, String credential) throws IOException {
        var socket = new Socket("127.0.0.1", edge.port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + credential + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        var events = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        readTo(events, first);
        return events;
    }

    private static void readTo(BufferedReader events, String words) throws IOException {
        for (String line = events.readLine(); line == null || !line.contains(words); line = events.readLine()) {
            assertTrue(line != null, "the stream ended without " + words);
        }
    }

    /** Without the chunk of length 0 that ends a whole stream. */
    private static void assertBrokenOff(BufferedReader events) throws IOException {
        readTo(events, ": the browser has signed out");
        try {
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                assertFalse(line.equals("0"), "the stream has an end");
            }
        } catch (SocketException reset) {
            // That is no end either.
        }
    }

    private void type(String line) {
        assertEquals(
                202,
                edge.post("/tasks/" + task + "/stdin", "{\"text\": \"" + line + "\\n\"}")
                        .statusCode());
    }

    @Test
    void whatABrowserHasOpenClosesWhenItSignsOut() throws IOException {
        String leaving = signIn();
        String staying = signIn();
        String token = "Authorization: Bearer " + edge.token;
        await(edge.sessions.use("s", Actor.user("alice")));
        String sessionEvents = "/sessions/s/events";
        try (BareSocket one = attach(leaving);
                BareSocket second = attach(leaving);
                BareSocket other = attach(staying);
                BareSocket agent = attach(token);
                BufferedReader leavingEvents = follow(leaving);
                BufferedReader stayingEvents = follow(staying);
                BufferedReader agentEvents = follow(token);
                BufferedReader ofSession = follow(sessionEvents, "session_started", leaving);
                BufferedReader stayingOfSession = follow(sessionEvents, "session_started", staying)) {
            signOut("/session", leaving);
            assertClosed(one);
            assertClosed(second);
            assertBrokenOff(leavingEvents);
            assertBrokenOff(ofSession);
            type("x1");
            readTo(other, "got x1");
            readTo(agent, "got x1");
            readTo(stayingEvents, "got x1");

            signOut("/session/all", token);
            assertClosed(other);
            assertBrokenOff(stayingEvents);
            assertBrokenOff(stayingOfSession);
            type("x2");
            readTo(agent, "got x2");
            readTo(agentEvents, "got x2");
        }
    }
}
