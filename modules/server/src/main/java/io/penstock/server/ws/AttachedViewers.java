package io.penstock.server.ws;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.server.ws.wire.SizePolicy;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The attached viewers of all tasks, of all connections. Viewers of one task see each other. May be called from any thread. */
public final class AttachedViewers {

    /** A viewer that is notified of presence. */
    interface Listener {
        /** Called on any thread whenever a viewer attaches, detaches or changes its size. */
        void othersChanged();
    }

    private final Map<String, TaskViewers> byTask = new HashMap<>();
    private final Map<Listener, Runnable> whenGone = new ConcurrentHashMap<>();
    private final AtomicLong names = new AtomicLong();
    private final Runnable detached;
    private final OperationHistory operations = new OperationHistory();
    private final SharedMessages messages = new SharedMessages(WsLimits.SHARED_BYTES);

    /** @param detached called when a viewer has left, since HTTP does not report the end of an upgraded connection */
    public AttachedViewers(Runnable detached) {
        this.detached = detached;
    }

    OperationHistory operations() {
        return operations;
    }

    SharedMessages messages() {
        return messages;
    }

    /** A unique name for a viewer. */
    String newName() {
        return "v" + names.incrementAndGet();
    }

    synchronized void enter(
            String taskId, Listener viewer, String name, String client, boolean controls, TaskViewers.Resizer resizer) {
        TaskViewers viewers = byTask.computeIfAbsent(taskId, id -> new TaskViewers());
        viewers.enter(viewer, name, client, controls, resizer);
        notifyListeners(viewers);
    }

    /** @param action run when the viewer has gone */
    void whenGone(Listener viewer, Runnable action) {
        whenGone.put(viewer, action);
    }

    /** Must be called once for each viewer. */
    void remove(String taskId, Listener viewer) {
        in(taskId, viewers -> viewers.remove(viewer));
        Runnable action = whenGone.remove(viewer);
        if (action != null) {
            action.run();
        }
        detached.run();
    }

    /** A connection was upgraded, and closed before it had a viewer. */
    void removeUnopened() {
        detached.run();
    }

    /** Completes with the seq of the frame that records the new size; null if the terminal keeps its size. */
    Future<@Nullable Long> resized(String taskId, Listener viewer, TerminalSize size) {
        return in(taskId, viewers -> viewers.resized(viewer, size));
    }

    /** Restores the size of a client that repeats a resize on a new connection; the resize itself was carried out before. */
    void restoreSize(String taskId, Listener viewer, TerminalSize size) {
        in(taskId, viewers -> viewers.restoreSize(viewer, size));
    }

    Future<@Nullable Long> choose(String taskId, Listener viewer, SizePolicy policy) {
        return in(taskId, viewers -> viewers.choose(viewer, policy));
    }

    /** Decides one change at a time, and passes resizes to the task in the same order. */
    private synchronized Future<@Nullable Long> in(String taskId, Function<TaskViewers, TaskViewers.Change> decide) {
        TaskViewers viewers = byTask.get(taskId);
        if (viewers == null) {
            return Future.succeededFuture();
        }
        TaskViewers.Change change = decide.apply(viewers);
        if (viewers.isEmpty()) {
            byTask.remove(taskId);
        }
        notifyListeners(viewers);
        return change.done().onFailure(refused -> undo(change, viewers));
    }

    private synchronized void undo(TaskViewers.Change change, TaskViewers viewers) {
        viewers.revert(change);
        notifyListeners(viewers);
    }

    private static void notifyListeners(TaskViewers viewers) {
        viewers.listeners().forEach(Listener::othersChanged);
    }

    /** The viewers of a task, and the one that determines its terminal's size, as the message about presence. */
    synchronized JsonObject viewers(String taskId) {
        return byTask.getOrDefault(taskId, new TaskViewers()).toJson();
    }
}
