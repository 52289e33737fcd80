package io.penstock.bench.fuzz;

import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A caller that sends random requests to every operation of the server's OpenAPI document, and checks each answer: it
 * arrives, it is no 5xx, the document has its status, and an error has the uniform error body.
 */
final class HttpFuzz {

    private static final int REQUESTS_PER_CONNECTION = 5;

    /** The bytes read of an event stream or a WebSocket before the caller leaves. */
    private static final int STREAM_BYTES = 2000;

    private static final int STREAM_MS = 50;

    /**
     * These answers are made from an output, which another caller may delete meanwhile: only an aborted answer can
     * signal that then.
     */
    private static final Pattern OF_AN_OUTPUT = Pattern.compile("/(output|screen|recording\\.cast)\\b");

    /** Stands for an answer whose connection ended inside its body. */
    private static final int BROKE_OFF = -1;

    /** The answer to an HTTP version that the server does not speak. */
    private static final int UNKNOWN_VERSION = 501;

    private final LoadedServer server;
    private final RequestMaker requests;
    private final KnownTasks tasks;
    private final TreeMap<Integer, Integer> statuses = new TreeMap<>();
    private final TreeMap<String, String> failures = new TreeMap<>();

    HttpFuzz(LoadedServer server, Operations operations, KnownTasks tasks, long seed) {
        this.server = server;
        this.tasks = tasks;
        this.requests = new RequestMaker(
                operations,
                server.address(),
                Objects.requireNonNull(server.token()),
                tasks,
                new SplittableRandom(seed));
    }

    /** The number of answers by status; 0 stands for a closed connection instead, -1 for an aborted answer. */
    TreeMap<Integer, Integer> statuses() {
        return statuses;
    }

    /** The complaints about answers, each kind with its first example. */
    TreeMap<String, String> failures() {
        return failures;
    }

    void run(long seconds) throws IOException {
        long upNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < upNanos) {
            try (var connection = new HttpSocket(server.address())) {
                for (int i = 0; i < REQUESTS_PER_CONNECTION && send(connection); i++) {
                    // The next request uses the same connection.
                }
            }
        }
    }

    /** Whether the connection can take another request. */
    private boolean send(HttpSocket connection) throws IOException {
        FuzzRequest request = requests.next();
        HttpAnswer answer;
        try {
            answer = exchange(connection, request);
        } catch (SocketTimeoutException e) {
            throw new SoakFailure("no answer within " + HttpSocket.ANSWER_MS + " ms to:\n" + request.shown());
        } catch (EOFException e) {
            if (!OF_AN_OUTPUT.matcher(request.target()).find()) {
                throw new SoakFailure(e.getMessage() + "\nto:\n" + request.shown());
            }
            statuses.merge(BROKE_OFF, 1, Integer::sum);
            return false;
        } catch (IllegalArgumentException | IOException e) {
            throw new SoakFailure(e.getMessage() + "\nto:\n" + request.shown());
        }
        statuses.merge(answer.status(), 1, Integer::sum);
        String wrong = complaint(request, answer);
        if (wrong != null) {
            failures.putIfAbsent(
                    wrong + " ("
                            + (request.operation() == null
                                    ? ""
                                    : request.operation().id()) + ")",
                    "answer: " + answer.status() + " " + answer.headers() + "\n" + answer.text() + "\nto:\n"
                            + request.shown());
            return false;
        }
        boolean streams = answer.status() == 101
                || answer.headers().getOrDefault("content-type", "").startsWith("text/event-stream");
        if (streams) {
            readSome(connection);
        }
        return request.whole()
                && !streams
                && answer.status() != 0
                && !"close".equals(answer.header("connection"))
                && !request.method().equals("HEAD");
    }

    private static HttpAnswer exchange(HttpSocket connection, FuzzRequest request) throws IOException {
        try {
            connection.send(request.bytes());
            if (!request.whole()) {
                // The rest of it will not come: the server need not wait for it.
                connection.endOfRequest();
            }
            return connection.answer(!request.method().equals("HEAD"));
        } catch (SocketException e) {
            // A server that refuses a request before it has read all of it may reset the connection, and lose the
            // answer.
            if (request.whole() && request.bytes().length < STREAM_BYTES) {
                throw new SoakFailure("the connection was reset (" + e.getMessage() + ") after:\n" + request.shown());
            }
            return HttpAnswer.CLOSED;
        }
    }

    private static void readSome(HttpSocket connection) throws IOException {
        connection.patience(STREAM_MS);
        try {
            connection.in().readNBytes(STREAM_BYTES);
        } catch (SocketTimeoutException e) {
            // A stream without data at the moment.
        }
    }

    private @Nullable String complaint(FuzzRequest request, HttpAnswer answer) {
        int status = answer.status();
        Operations.Operation operation = request.operation();
        if (status == 0) {
            return request.whole() ? "the connection was closed without an answer" : null;
        }
        if (status == UNKNOWN_VERSION && !request.whole()) {
            return null;
        }
        if (status >= 500) {
            return "a 5xx";
        }
        if (operation != null && !operation.statuses().contains(Integer.toString(status))) {
            return "operation " + operation.id() + " does not document the status " + status;
        }
        if (request.method().equals("HEAD")) {
            return null;
        }
        if (status >= 400) {
            return errorComplaint(answer);
        }
        if (answer.isJson() && status == 201 && "spawnTask".equals(operation == null ? null : operation.id())) {
            tasks.add(new JsonObject(answer.text()).getString("task_id"));
        }
        return null;
    }

    /** Why this is not a valid error body. */
    private static @Nullable String errorComplaint(HttpAnswer answer) {
        if (!answer.isJson()) {
            return "an error that is not JSON";
        }
        JsonObject error;
        try {
            error = new JsonObject(answer.text()).getJsonObject("error");
        } catch (RuntimeException e) {
            return "an error that cannot be read as JSON";
        }
        if (error == null
                || error.getString("code") == null
                || error.getString("message") == null
                || error.getBoolean("retryable") == null) {
            return "an error without code, message or retryable";
        }
        String message = error.getString("message");
        boolean leaks = message.contains("Exception") || message.contains("io.penstock") || message.contains("java.");
        if (leaks || message.getBytes(StandardCharsets.UTF_8).length > 8192) {
            return "an error whose message shows the inside of the program, or has no end";
        }
        return null;
    }
}
