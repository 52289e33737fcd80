package io.penstock.server.closed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Malformed requests cost little log, and none of their content reaches the terminal of a person who reads the log. */
@Tag("server")
class HostileRequestsTest {

    private static final int TIMES = 30;

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    private static String raw(ServerProcess server, String request) throws IOException {
        URI address = URI.create(server.address());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException e) {
            return "";
        }
    }

    @Test
    void brokenRequestsLeaveNoTraceAndNoControlCharacters() throws IOException {
        String end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        List<String> said;
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            String token = "Host: localhost\r\nAuthorization: Bearer "
                    + Files.readString(data.resolve("token")).strip() + "\r\n";
            for (int i = 0; i < TIMES; i++) {
                for (String path : List.of("/%", "/%zz", "/tasks/%c3%28%", "/\u001b]0;pwned\u0007\u001b[2J%")) {
                    String answer = raw(server, "GET " + path + end);
                    assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 400 "), answer);
                }
                assertTrue(raw(server, "GET /%" + end).startsWith("HTTP/1.1 400 "));
                for (String chunks :
                        List.of("zz\r\n", "5\r\n{\r\n\u001b[2J", "ffffffffffffffff\r\n", "-1\r\n{}", "5;\u001b")) {
                    for (String operation :
                            List.of("POST /tasks", "POST /session", "GET /tasks", "POST /tasks/\u009b/x")) {
                        raw(
                                server,
                                operation + " HTTP/1.1\r\n" + token
                                        + "Content-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + chunks + "\r\n\r\n");
                    }
                }
            }
            server.signal("TERM");
            said = server.said();
        }
        assertEquals(
                List.of(),
                said.stream().filter(line -> line.matches("\\s+at .*")).toList());
        assertTrue(said.stream().noneMatch(line -> line.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c))));
        assertTrue(said.size() < 40, () -> said.size() + " lines: " + said.subList(0, 40));
    }
}
