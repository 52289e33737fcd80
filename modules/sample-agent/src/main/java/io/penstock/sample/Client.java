package io.penstock.sample;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** The client at the other end of the pipes: what is sent to it, and its answers. For any number of threads. */
final class Client {

    private final OutputStream out;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<?, ?>>> unanswered = new ConcurrentHashMap<>();

    Client(OutputStream out) {
        this.out = out;
    }

    /** Blocks while the client does not read. */
    synchronized void send(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void notify(String method, Map<String, Object> params) {
        send(Json.line(Json.object("jsonrpc", "2.0", "method", method, "params", params)));
    }

    void answer(Object id, Map<String, Object> result) {
        send(Json.line(Json.object("jsonrpc", "2.0", "id", id, "result", result)));
    }

    void refuse(Object id, int code, String message) {
        send(Json.line(
                Json.object("jsonrpc", "2.0", "id", id, "error", Json.object("code", code, "message", message))));
    }

    /** Sends a request and waits for the result. */
    Map<?, ?> request(String method, Map<String, Object> params) throws Refused, InterruptedException {
        long id = requests.incrementAndGet();
        var answer = new CompletableFuture<Map<?, ?>>();
        unanswered.put(id, answer);
        try {
            sendRequest(id, method, params);
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } finally {
            unanswered.remove(id);
        }
    }

    /** Sends a request whose answer does not matter. */
    void tell(String method, Map<String, Object> params) {
        sendRequest(requests.incrementAndGet(), method, params);
    }

    private void sendRequest(long id, String method, Map<String, Object> params) {
        send(Json.line(Json.object("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
    }

    /** The client has answered a request; an answer that no request waits for is ignored. */
    void answered(Map<?, ?> message) {
        if (message.get("id") instanceof BigDecimal id
                && unanswered.remove(id.longValue()) instanceof CompletableFuture<Map<?, ?>> answer) {
            if (message.containsKey("error")) {
                String why = Json.text(Json.in(message, "error"), "message");
                answer.completeExceptionally(
                        new Refused(Refused.INTERNAL_ERROR, why.isEmpty() ? "the client gave no reason" : why));
            } else {
                answer.complete(Json.in(message, "result"));
            }
        }
    }
}
