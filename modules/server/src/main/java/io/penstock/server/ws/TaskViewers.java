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

/** Those who are attached to one task, and what size its terminal has because of them. For one thread at a time. */
final class TaskViewers {

    /** Gives the terminal a size; completes with the seq of the frame that tells it. What is asked first is done first. */
    interface Resizer {
        Future<Long> resize(TerminalSize size);
    }

    /**
     * What somebody wants of the size.
     *
     * @param done completes with the seq of the frame that tells it; with null if the terminal's size does not change for it
     * @param takeBack what was said with it, unless something else has come meanwhile
     */
    record Change(Future<@Nullable Long> done, Runnable takeBack) {
        private static final Change NONE = new Change(Future.succeededFuture(), () -> {});
    }

    /** @param by the client that leads, if that is what was chosen */
    private record Choice(SizePolicy policy, @Nullable String by) {}

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

    /** In the order in which they came. */
    private final Map<AttachedViewers.Listener, Entry> seats = new LinkedHashMap<>();

    private Choice choice = new Choice(SizePolicy.LATEST, null);
    private @Nullable TerminalSize given;
    private @Nullable JsonObject told; // since the last change

    /** @param client comes back before it is known to have left, for example from another network, and is there once all the same */
    void enter(AttachedViewers.Listener guest, String name, String client, boolean controls, Resizer resizer) {
        TerminalSize said = present().stream()
                .filter(seat -> controls && seat.client().equals(client))
                .flatMap(seat -> Stream.ofNullable(seat.size()))
                .findFirst()
                .orElse(null);
        told = null;
        seats.put(guest, new Entry(name, client, controls, resizer, said));
    }

    /** Who said it on a connection that broke, and has not said another on this one. */
    Change restoreSize(AttachedViewers.Listener guest, TerminalSize size) {
        Entry seat = seats.get(guest);
        return seat == null || seat.size() != null ? Change.NONE : resized(guest, size);
    }

    Change remove(AttachedViewers.Listener guest) {
        Entry left = seats.remove(guest);
        return left == null ? Change.NONE : new Change(settle(left.resizer(), null), () -> {});
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    Change resized(AttachedViewers.Listener guest, TerminalSize size) {
        Entry seat = seats.get(guest);
        if (seat == null) {
            return Change.NONE;
        }
        var sized = new Entry(seat.name(), seat.client(), seat.controls(), seat.resizer(), size);
        seats.put(guest, sized);
        return new Change(settle(seat.resizer(), size), () -> seats.replace(guest, sized, seat));
    }

    /** Under {@code leader}, whoever chooses it leads. */
    Change choose(AttachedViewers.Listener guest, SizePolicy policy) {
        Entry seat = seats.get(guest);
        if (seat == null) {
            return Change.NONE;
        }
        Choice before = choice;
        var made = new Choice(policy, policy == SizePolicy.LEADER ? seat.client() : null);
        choice = made;
        given = null;
        return new Change(settle(seat.resizer(), null), () -> choice = choice == made ? before : choice);
    }

    /** It was refused: it counts for nothing, and as what was given last may not have been taken, whoever says it next is to try again. */
    void revert(Change refused) {
        told = null;
        refused.takeBack().run();
        given = null;
    }

    /** @param said just now; null if nobody did */
    private Future<@Nullable Long> settle(Resizer resizer, @Nullable TerminalSize said) {
        told = null;
        TerminalSize wanted = switch (choice.policy()) {
            case LATEST -> said;
            case SMALLEST -> smallest();
            case LEADER ->
                leader() == null ? null : Objects.requireNonNull(leader()).size();
            case FIXED -> null;
        };
        if (wanted == null || choice.policy() != SizePolicy.LATEST && wanted.equals(given)) {
            return Future.succeededFuture();
        }
        given = wanted;
        return resizer.resize(wanted).map(seq -> seq);
    }

    private @Nullable TerminalSize smallest() {
        return sizes().reduce((one, other) ->
                        new TerminalSize(Math.min(one.rows(), other.rows()), Math.min(one.cols(), other.cols())))
                .orElse(null);
    }

    private Stream<TerminalSize> sizes() {
        return present().stream().flatMap(seat -> Stream.ofNullable(seat.size()));
    }

    /** Of each client the seat that it took last, in the order in which the clients came. */
    private Collection<Entry> present() {
        var last = new LinkedHashMap<String, Entry>();
        seats.values().forEach(seat -> last.put(seat.client(), seat));
        return last.values();
    }

    /** When the one who was chosen has left, it is the first of those who have said a size. */
    private @Nullable Entry leader() {
        if (choice.policy() != SizePolicy.LEADER) {
            return null;
        }
        return present().stream()
                .filter(seat -> seat.client().equals(choice.by()))
                .findFirst()
                .or(() -> present().stream().filter(seat -> seat.size() != null).findFirst())
                .orElse(null);
    }

    /** Made once for all who are told; nobody changes it. */
    JsonObject toJson() {
        JsonObject all = told == null ? made() : told;
        told = all;
        return all;
    }

    private JsonObject made() {
        var viewers = new JsonArray();
        present().forEach(seat -> viewers.add(seat.toJson()));
        Entry lead = leader();
        return ServerMessages.viewers(viewers, choice.policy(), lead == null ? null : lead.name());
    }

    List<AttachedViewers.Listener> listeners() {
        return List.copyOf(seats.keySet());
    }
}
