package io.penstock.server.ws;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.server.ws.wire.ServerMessages;
import io.penstock.server.ws.wire.SizePolicy;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The viewers of one task, and the size that its terminal has because of them. For one thread at a time. */
final class TaskViewers {

    /** Resizes the terminal, in the order of the calls. Completes with the seq of the frame that records it. */
    interface Resizer {
        Future<Long> resize(TerminalSize size);
    }

    /**
     * A change that may resize the terminal.
     *
     * @param done completes with the seq of the frame that records the size; with null if the size does not change
     * @param revert undoes what the viewer stated, unless it has stated something else meanwhile
     */
    record Change(Future<@Nullable Long> done, Runnable revert) {
        private static final Change NONE = new Change(Future.succeededFuture(), () -> {});
    }

    /** @param leader the client that leads, under the policy of that name */
    private record Choice(SizePolicy policy, @Nullable String leader) {}

    private record Entry(
            String name,
            String client,
            boolean controls,
            Resizer resizer,
            @Nullable TerminalSize size) {

        JsonObject toJson() {
            return new JsonObject()
                    .put("viewer", name)
                    .put("rights", ServerMessages.rights(controls))
                    .put("rows", size == null ? null : size.rows())
                    .put("cols", size == null ? null : size.cols());
        }
    }

    /** In the order in which the viewers attached. */
    private final Map<AttachedViewers.Listener, Entry> entries = new LinkedHashMap<>();

    private Choice choice = new Choice(SizePolicy.LATEST, null);
    private @Nullable TerminalSize lastWanted;

    /** The message about presence; null since the last change. */
    private @Nullable JsonObject message;

    /** @param client may have another entry, if it reconnects before the server has noticed that it left; it appears once */
    void enter(AttachedViewers.Listener viewer, String name, String client, boolean controls, Resizer resizer) {
        TerminalSize size = present().stream()
                .filter(entry -> controls && entry.client().equals(client))
                .flatMap(entry -> Stream.ofNullable(entry.size()))
                .findFirst()
                .orElse(null);
        message = null;
        entries.put(viewer, new Entry(name, client, controls, resizer, size));
    }

    /** Restores the size that a client stated on its previous connection, unless it has stated a new one. */
    Change restoreSize(AttachedViewers.Listener viewer, TerminalSize size) {
        Entry entry = entries.get(viewer);
        return entry == null || entry.size() != null ? Change.NONE : resized(viewer, size);
    }

    Change remove(AttachedViewers.Listener viewer) {
        Entry removed = entries.remove(viewer);
        return removed == null ? Change.NONE : new Change(applyPolicy(removed.resizer(), null), () -> {});
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Change resized(AttachedViewers.Listener viewer, TerminalSize size) {
        Entry entry = entries.get(viewer);
        if (entry == null) {
            return Change.NONE;
        }
        var sized = new Entry(entry.name(), entry.client(), entry.controls(), entry.resizer(), size);
        entries.put(viewer, sized);
        return new Change(applyPolicy(entry.resizer(), size), () -> entries.replace(viewer, sized, entry));
    }

    /** The viewer that chooses {@code leader} leads. */
    Change choose(AttachedViewers.Listener viewer, SizePolicy policy) {
        Entry entry = entries.get(viewer);
        if (entry == null) {
            return Change.NONE;
        }
        Choice before = choice;
        var chosen = new Choice(policy, policy == SizePolicy.LEADER ? entry.client() : null);
        choice = chosen;
        lastWanted = null;
        return new Change(applyPolicy(entry.resizer(), null), () -> choice = choice == chosen ? before : choice);
    }

    /** Reverts a refused change. The terminal's size is unknown now, so the next size is applied even if it equals the last. */
    void revert(Change refused) {
        message = null;
        refused.revert().run();
        lastWanted = null;
    }

    /** @param stated the size that a viewer has just stated; null if none has */
    private Future<@Nullable Long> applyPolicy(Resizer resizer, @Nullable TerminalSize stated) {
        message = null;
        TerminalSize wanted = switch (choice.policy()) {
            case LATEST -> stated;
            case SMALLEST -> smallest();
            case LEADER ->
                leader() == null ? null : Objects.requireNonNull(leader()).size();
            case FIXED -> null;
        };
        if (wanted == null || choice.policy() != SizePolicy.LATEST && wanted.equals(lastWanted)) {
            return Future.succeededFuture();
        }
        lastWanted = wanted;
        return resizer.resize(wanted).map(seq -> seq);
    }

    private @Nullable TerminalSize smallest() {
        return sizes().reduce((one, other) ->
                        new TerminalSize(Math.min(one.rows(), other.rows()), Math.min(one.cols(), other.cols())))
                .orElse(null);
    }

    private Stream<TerminalSize> sizes() {
        return present().stream().flatMap(entry -> Stream.ofNullable(entry.size()));
    }

    /** The newest entry of each client, in the order in which the clients attached. */
    private Collection<Entry> present() {
        var last = new LinkedHashMap<String, Entry>();
        entries.values().forEach(entry -> last.put(entry.client(), entry));
        return last.values();
    }

    /** The chosen client, or, while it is away, the first viewer that has stated a size. */
    private @Nullable Entry leader() {
        if (choice.policy() != SizePolicy.LEADER) {
            return null;
        }
        return present().stream()
                .filter(entry -> entry.client().equals(choice.leader()))
                .findFirst()
                .or(() ->
                        present().stream().filter(entry -> entry.size() != null).findFirst())
                .orElse(null);
    }

    /** The message about presence: created once for all viewers, so it must not be changed. */
    JsonObject toJson() {
        JsonObject current = message == null ? createMessage() : message;
        message = current;
        return current;
    }

    private JsonObject createMessage() {
        var viewers = new JsonArray();
        present().forEach(entry -> viewers.add(entry.toJson()));
        Entry leader = leader();
        return ServerMessages.viewers(viewers, choice.policy(), leader == null ? null : leader.name());
    }

    List<AttachedViewers.Listener> listeners() {
        return List.copyOf(entries.keySet());
    }
}
