package io.penstock.bench.faults;

import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Requests of a caller that retries while the server is down, or answers that a retry is useful. */
final class Calls implements AutoCloseable {

    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final long PAUSE_MS = 100;
    private static final long PATIENCE_SECONDS = 180;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final RestartedServer server;

    Calls(RestartedServer server) {
        this.server = server;
    }

    HttpResponse<String> get(String path) throws InterruptedException {
        return definite(path, request -> {}, BodyHandlers.ofString());
    }

    HttpResponse<byte[]> bytes(String path) throws InterruptedException {
        return definite(path, request -> {}, BodyHandlers.ofByteArray());
    }

    HttpResponse<String> post(String path, String key, String json) throws InterruptedException {
        return definite(
                path,
                request -> request.header("content-type", "application/json")
                        .header("idempotency-key", key)
                        .POST(BodyPublishers.ofString(json)),
                BodyHandlers.ofString());
    }

    /** Reads the lines of an event stream until it ends, breaks, or is no longer wanted. */
    void lines(String path, Consumer<String> line, BooleanSupplier wanted) throws InterruptedException {
        URI address = server.address();
        if (address == null) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return;
        }
        try (var lines = http.send(
                        HttpRequest.newBuilder(address.resolve(path))
                                .timeout(ANSWER)
                                .build(),
                        BodyHandlers.ofLines())
                .body()) {
            lines.takeWhile(each -> wanted.getAsBoolean()).forEach(line);
        } catch (IOException | java.io.UncheckedIOException e) {
            // The caller continues from there.
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
    }

    /** Repeats the request until it has an answer that would not change by another repeat. */
    private <T> HttpResponse<T> definite(String path, Consumer<HttpRequest.Builder> more, BodyHandler<T> body)
            throws InterruptedException {
        long upNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String last = "the server is down";
        while (System.nanoTime() < upNanos) {
            URI address = server.address();
            if (address != null) {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(address.resolve(path)).timeout(ANSWER);
                more.accept(request);
                try {
                    HttpResponse<T> answer = http.send(request.build(), body);
                    if (answer.statusCode() < 500 && answer.statusCode() != 429) {
                        return answer;
                    }
                    if (answer.statusCode() == 500) {
                        throw new SoakFailure(path + " was answered with 500 " + answer.body());
                    }
                    last = answer.statusCode() + " " + answer.body();
                } catch (IOException e) {
                    last = String.valueOf(e);
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        throw new SoakFailure(path + " had no definite answer within " + PATIENCE_SECONDS + " s; the last was " + last);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
