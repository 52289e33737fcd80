package io.penstock.server.ws;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.server.ws.wire.SizePolicy;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Who is attached to which task, of all connections: viewers of one task see each other. Any thread. */
public final class AttachedViewers {

    /** Someone who is to know who else is there. */
    interface Listener {
        /** Told on any thread, whenever somebody comes, goes or has another size. */
        void othersChanged();
    }

    private final Map<String, TaskViewers> byTask = new HashMap<>();
    private final AtomicLong names = new AtomicLong();
    private final Runnable left;
    private final OperationHistory operations = new OperationHistory();
    private final SharedMessages messages = new SharedMessages(WsLimits.SHARED_BYTES);

    /** @param left called when a guest has gone: of a connection that became a socket, HTTP does not tell its end */
    public AttachedViewers(Runnable left) {
        this.left = left;
    }

    OperationHistory operations() {
        return operations;
    }

    SharedMessages messages() {
        return messages;
    }

    /** A name for a viewer, which nobody else has. */
    String newName() {
        return "v" + names.incrementAndGet();
    }

    synchronized void enter(
            String taskId, Listener guest, String name, String client, boolean controls, TaskViewers.Resizer resizer) {
        TaskViewers room = byTask.computeIfAbsent(taskId, id -> new TaskViewers());
        room.enter(guest, name, client, controls, resizer);
        notifyListeners(room);
    }

    /** Once for each guest. */
    void remove(String taskId, Listener guest) {
        in(taskId, room -> room.remove(guest));
        left.run();
    }

    /** Of a connection that became a socket, and was gone before there was a guest. */
    void nobodyCame() {
        left.run();
    }

    /** Completes with the seq of the frame that tells it; null if the terminal keeps its size. */
    Future<@Nullable Long> resized(String taskId, Listener guest, TerminalSize size) {
        return in(taskId, room -> room.resized(guest, size));
    }

    /** It was done already, and the answer is known; but on this connection nobody has said it. */
    void restoreSize(String taskId, Listener guest, TerminalSize size) {
        in(taskId, room -> room.restoreSize(guest, size));
    }

    Future<@Nullable Long> choose(String taskId, Listener guest, SizePolicy policy) {
        return in(taskId, room -> room.choose(guest, policy));
    }

    /** Decided one after the other, and given to the task in the same order. */
    private synchronized Future<@Nullable Long> in(String taskId, Function<TaskViewers, TaskViewers.Change> decide) {
        TaskViewers room = byTask.get(taskId);
        if (room == null) {
            return Future.succeededFuture();
        }
        TaskViewers.Change change = decide.apply(room);
        if (room.isEmpty()) {
            byTask.remove(taskId);
        }
        notifyListeners(room);
        return change.done().onFailure(refused -> undo(change, room));
    }

    private synchronized void undo(TaskViewers.Change change, TaskViewers room) {
        room.revert(change);
        notifyListeners(room);
    }

    private static void notifyListeners(TaskViewers room) {
        room.listeners().forEach(Listener::othersChanged);
    }

    /** Who is there, and whose size the terminal has. */
    synchronized JsonObject viewers(String taskId) {
        return byTask.getOrDefault(taskId, new TaskViewers()).toJson();
    }
}
