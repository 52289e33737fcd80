package io.penstock.server.attach;

import io.penstock.frames.ByteReader;
import io.penstock.server.ServerProcess;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A viewer of a task over a real WebSocket, in any of the three subprotocols. */
public final class Attached implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    /** @param closed the close code, if this is the end */
    private record Arrival(Buffer message, @Nullable Short closed) {}

    private final Vertx vertx = Vertx.vertx();

    /**
     * Kept in a field: the collector would shut the client down with its sockets, and closing would wait half a minute
     * for that.
     */
    private final WebSocketClient client = vertx.createWebSocketClient();

    private final LinkedBlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private final List<JsonObject> unread = new ArrayList<>();

    /** @param subprotocol null for the raw one */
    public Attached(ServerProcess server, String pathAndQuery, @Nullable String subprotocol) {
        URI address = URI.create(server.address());
        var options = new WebSocketConnectOptions()
                .setHost(address.getHost())
                .setPort(address.getPort())
                .setURI(pathAndQuery);
        if (subprotocol != null) {
            options.addSubProtocol(subprotocol);
        }
        var opening = new CompletableFuture<WebSocket>();
        client.connect(options).onComplete(done -> {
            if (done.failed()) {
                opening.completeExceptionally(done.cause());
                return;
            }
            WebSocket opened = done.result();
            opened.binaryMessageHandler(bytes -> arrivals.add(new Arrival(bytes, null)));
            opened.textMessageHandler(text -> arrivals.add(new Arrival(Buffer.buffer(text), null)));
            opened.closeHandler(closed -> arrivals.add(new Arrival(Buffer.buffer(), opened.closeStatusCode())));
            opening.complete(opened);
        });
        try {
            socket = opening.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            close();
            throw new AssertionError(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            close();
            throw new AssertionError(e);
        }
    }

    public static Attached json(ServerProcess server, String task, String query) {
        return new Attached(server, "/tasks/" + task + "/attach?" + query, "penstock.v1.json");
    }

    public void say(JsonObject message) {
        socket.writeTextMessage(message.encode());
    }

    public void send(Buffer bytes) {
        socket.writeBinaryMessage(bytes);
    }

    void leave() {
        socket.close();
    }

    void pause() {
        socket.pause();
    }

    void resume() {
        socket.resume();
    }

    private Arrival next() {
        try {
            Arrival arrival = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (arrival == null) {
                throw new AssertionError("nothing more came within " + PATIENCE_SECONDS + " s");
            }
            return arrival;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Objects of the JSON subprotocol, up to the first that satisfies the condition. */
    public List<JsonObject> until(Predicate<JsonObject> last) {
        var seen = new ArrayList<JsonObject>();
        while (true) {
            while (!unread.isEmpty()) {
                JsonObject object = unread.removeFirst();
                seen.add(object);
                if (last.test(object)) {
                    return seen;
                }
            }
            Arrival arrival = next();
            if (arrival.closed() != null) {
                throw new AssertionError("closed with " + arrival.closed() + " after " + seen);
            }
            arrival.message().toString().lines().forEach(line -> unread.add(new JsonObject(line)));
        }
    }

    /** Messages of any subprotocol, until one contains these words. */
    public void untilText(String words) {
        for (Arrival arrival = next(); !arrival.message().toString().contains(words); arrival = next()) {
            if (arrival.closed() != null) {
                throw new AssertionError("closed with " + arrival.closed() + " before \"" + words + "\"");
            }
        }
    }

    /** Up to the point where each condition was satisfied by an object. */
    public List<JsonObject> untilAll(List<Predicate<JsonObject>> all) {
        var missing = new ArrayList<>(all);
        return until(object -> {
            missing.removeIf(one -> one.test(object));
            return missing.isEmpty();
        });
    }

    /** Up to the first of this type, and fails at one of the other types. */
    List<JsonObject> until(String type, List<String> none) {
        List<JsonObject> seen = until(object -> object.getString("type").equals(type));
        seen.forEach(object -> {
            if (none.contains(object.getString("type"))) {
                throw new AssertionError(object.encode());
            }
        });
        return seen;
    }

    /** Up to the close with 1000; calls the consumer with each object at once, so that it can answer. */
    List<JsonObject> answered(Consumer<JsonObject> observer) {
        var seen = new ArrayList<JsonObject>();
        while (true) {
            while (!unread.isEmpty()) {
                seen.add(unread.removeFirst());
                observer.accept(seen.getLast());
            }
            Arrival arrival = next();
            if (arrival.closed() != null) {
                if (arrival.closed() != 1000) {
                    throw new AssertionError("closed with " + arrival.closed());
                }
                return seen;
            }
            arrival.message().toString().lines().forEach(line -> unread.add(new JsonObject(line)));
        }
    }

    JsonObject until(String type) {
        return until(object -> object.getString("type").equals(type)).getLast();
    }

    /** Objects of the JSON subprotocol up to the close. */
    public List<JsonObject> rest(int code) {
        var seen = new ArrayList<>(unread);
        unread.clear();
        for (Arrival arrival = next(); ; arrival = next()) {
            if (arrival.closed() != null) {
                if (arrival.closed() != code) {
                    throw new AssertionError("closed with " + arrival.closed() + ", not " + code);
                }
                return seen;
            }
            arrival.message().toString().lines().forEach(line -> seen.add(new JsonObject(line)));
        }
    }

    /** One entry of the binary subprotocol. */
    public record Entry(int kind, byte[] content) {
        public ByteReader reader() {
            return new ByteReader(content);
        }

        public JsonObject json() {
            return new JsonObject(new String(content, StandardCharsets.UTF_8));
        }
    }

    /** Entries of the binary subprotocol up to the close. */
    public List<Entry> entries() {
        var entries = new ArrayList<Entry>();
        for (Arrival arrival = next(); arrival.closed() == null; arrival = next()) {
            entries.addAll(entries(arrival.message()));
        }
        return entries;
    }

    /** The same, up to the end of the message with the first entry that satisfies the condition. */
    public List<Entry> entries(Predicate<Entry> last) {
        var entries = new ArrayList<Entry>();
        while (entries.stream().noneMatch(last)) {
            Arrival arrival = next();
            if (arrival.closed() != null) {
                throw new AssertionError("closed with " + arrival.closed() + " after " + entries.size() + " entries");
            }
            entries.addAll(entries(arrival.message()));
        }
        return entries;
    }

    private static List<Entry> entries(Buffer message) {
        if (message.length() > 64 * 1024) {
            throw new AssertionError("a message has " + message.length() + " bytes");
        }
        var entries = new ArrayList<Entry>();
        var reader = new ByteReader(message.getBytes());
        while (reader.hasMore()) {
            entries.add(new Entry(reader.readByte(), reader.readBytes()));
        }
        return entries;
    }

    /** Bytes of the raw subprotocol, up to this text, or up to the close if it is null. */
    byte[] bytes(@Nullable String upTo) {
        var bytes = new ByteArrayOutputStream();
        while (upTo == null || !bytes.toString(StandardCharsets.UTF_8).contains(upTo)) {
            Arrival arrival = next();
            if (arrival.closed() != null) {
                if (upTo != null) {
                    throw new AssertionError("closed after " + bytes);
                }
                return bytes.toByteArray();
            }
            bytes.writeBytes(arrival.message().getBytes());
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
