package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A viewer that attaches to terminals repeatedly and sends random messages in each subprotocol. Afterwards the server
 * answers a ping, or has closed the socket with a code that says why.
 */
final class SocketFuzz {

    private static final int MESSAGES = 40;
    private static final int PONG = 10;
    private static final int CLOSE = 8;

    /** Ended, the server shuts down, not WebSocket, not this kind of data, not UTF-8, against a rule, too large. */
    private static final Set<Integer> CLOSES = Set.of(1000, 1001, 1002, 1003, 1007, 1008, 1009);

    private static final List<String> LANGUAGES = List.of("penstock.v1.binary", "penstock.v1.json", "");
    private static final List<String> QUERIES = List.of(
            "", "?screen=20", "?screen=5&behind=screen", "?tail=3", "?tail_bytes=100", "?rights=view", "?client=fuzz");

    private final LoadedServer server;
    private final SplittableRandom random;
    private final OddValues odd;
    private final SocketMessages messages;
    private final Supplier<String> terminal;
    private final Predicate<String> isRunning;
    private final TreeMap<Integer, Integer> ends = new TreeMap<>();

    /**
     * @param terminal returns the id of a running task with a terminal for the next viewer
     * @param isRunning whether a task still runs
     */
    SocketFuzz(LoadedServer server, Supplier<String> terminal, Predicate<String> isRunning, long seed) {
        this.server = server;
        this.random = new SplittableRandom(seed);
        this.odd = new OddValues(random);
        this.messages = new SocketMessages(random);
        this.terminal = terminal;
        this.isRunning = isRunning;
    }

    /** The number of viewers by close code; 0 stands for those still attached when they left. */
    TreeMap<Integer, Integer> ends() {
        return ends;
    }

    void run(long seconds) throws IOException {
        long upNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < upNanos) {
            attach(terminal.get());
        }
    }

    private void attach(String task) throws IOException {
        String language = odd.one(LANGUAGES);
        String request = "GET /tasks/" + task + "/attach" + odd.one(QUERIES) + " HTTP/1.1\r\nHost: "
                + server.address().getAuthority()
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\n"
                + (language.isEmpty() ? "" : "Sec-WebSocket-Protocol: " + language + "\r\n")
                + "Authorization: Bearer " + server.token() + "\r\n\r\n";
        try (var connection = new HttpSocket(server.address())) {
            connection.send(request.getBytes(StandardCharsets.US_ASCII));
            HttpAnswer answer = connection.answer(true);
            if (answer.status() != 101) {
                throw new SoakFailure("attaching was answered with " + answer.status() + " " + answer.text());
            }
            var sent = new StringBuilder();
            boolean malformed = false;
            try {
                int count = 1 + random.nextInt(MESSAGES);
                for (int i = 0; i < count && !malformed; i++) {
                    SocketMessages.Message message = messages.next(language.endsWith("binary"));
                    malformed = message.malformed();
                    note(sent, message.frames());
                    connection.send(message.frames());
                }
                connection.send(SocketMessages.ping("alive"));
            } catch (SocketException e) {
                // The socket was closed meanwhile; what the server sent before can still be read.
            }
            ends.merge(end(connection, task, malformed, sent), 1, Integer::sum);
        }
    }

    /** The code with which the socket was closed, or 0 if a ping was answered. */
    private int end(HttpSocket connection, String task, boolean malformed, StringBuilder sent) throws IOException {
        connection.patience(HttpSocket.ANSWER_MS);
        var in = new DataInputStream(connection.in());
        try {
            while (true) {
                int kind = in.readUnsignedByte() & 0x0f;
                long length = in.readUnsignedByte();
                if (length == 126) {
                    length = in.readUnsignedShort();
                } else if (length == 127) {
                    length = in.readLong();
                }
                byte[] content = in.readNBytes((int) length);
                if (kind == PONG && new String(content, StandardCharsets.US_ASCII).equals("alive")) {
                    return 0;
                }
                if (kind == CLOSE) {
                    int code = content.length < 2 ? 1005 : (content[0] & 0xff) << 8 | content[1] & 0xff;
                    if (!CLOSES.contains(code) && !malformed) {
                        throw new SoakFailure("the socket was closed with " + code + " after:\n" + sent);
                    }
                    return code;
                }
            }
        } catch (SocketTimeoutException e) {
            throw new SoakFailure("no pong and no close within " + HttpSocket.ANSWER_MS + " ms after:\n" + sent);
        } catch (EOFException | SocketException e) {
            // A close that crosses data in transit is lost in a reset, as after the end of the task.
            if (!malformed && isRunning.test(task)) {
                throw new SoakFailure("the socket ended without a close (" + e.getMessage() + ") after:\n" + sent);
            }
            return 1006;
        }
    }

    private static void note(StringBuilder sent, byte[] frames) {
        for (int i = 0; i < Math.min(frames.length, 60); i++) {
            sent.append(String.format("%02x", frames[i]));
        }
        sent.append(frames.length > 60 ? "… (" + frames.length + " bytes)\n" : "\n");
    }
}
