package io.penstock.server.ws;

import io.penstock.engine.spawn.TerminalSize;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Who is attached to which task, of all connections: viewers of one task see each other. Any thread. */
public final class Rooms {

    /** Someone who is to know who else is there. */
    interface Guest {
        /** Told on any thread, whenever somebody comes, goes or has another size. */
        void othersChanged();
    }

    private record Seen(
            String name, boolean controls, @Nullable TerminalSize size) {
        JsonObject toJson() {
            return new JsonObject()
                    .put("viewer", name)
                    .put("rights", News.rights(controls))
                    .put("rows", size == null ? null : size.rows())
                    .put("cols", size == null ? null : size.cols());
        }
    }

    private final ConcurrentHashMap<String, Map<Guest, Seen>> byTask = new ConcurrentHashMap<>();
    private final AtomicLong names = new AtomicLong();
    private final Runnable left;
    private final KnownOperations operations = new KnownOperations();
    private final SharedMessages messages = new SharedMessages(WsLimits.SHARED_BYTES);

    /** @param left called when a guest has gone: of a connection that became a socket, HTTP does not tell its end */
    public Rooms(Runnable left) {
        this.left = left;
    }

    KnownOperations operations() {
        return operations;
    }

    SharedMessages messages() {
        return messages;
    }

    /** A name for a viewer, which nobody else has. */
    String newName() {
        return "v" + names.incrementAndGet();
    }

    void enter(String taskId, Guest guest, String name, boolean controls) {
        put(taskId, guest, new Seen(name, controls, null));
    }

    void resized(String taskId, Guest guest, String name, TerminalSize size) {
        put(taskId, guest, new Seen(name, true, size));
    }

    private void put(String taskId, Guest guest, Seen seen) {
        byTask.compute(taskId, (id, room) -> {
            Map<Guest, Seen> guests = room == null ? new LinkedHashMap<>() : new LinkedHashMap<>(room);
            guests.put(guest, seen);
            return guests;
        });
        tell(taskId);
    }

    /** Once for each guest. */
    void leave(String taskId, Guest guest) {
        byTask.computeIfPresent(taskId, (id, room) -> {
            var guests = new LinkedHashMap<>(room);
            guests.remove(guest);
            return guests.isEmpty() ? null : guests;
        });
        left.run();
        tell(taskId);
    }

    private void tell(String taskId) {
        List.copyOf(byTask.getOrDefault(taskId, Map.of()).keySet()).forEach(Guest::othersChanged);
    }

    /** In the order in which they came. */
    JsonArray viewers(String taskId) {
        var viewers = new JsonArray();
        byTask.getOrDefault(taskId, Map.of()).values().forEach(seen -> viewers.add(seen.toJson()));
        return viewers;
    }
}
