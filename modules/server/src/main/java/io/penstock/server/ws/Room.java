package io.penstock.server.ws;

import io.penstock.engine.spawn.TerminalSize;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Those who are attached to one task, and what size its terminal has because of them. For one thread at a time. */
final class Room {

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

    /** @param by who leads, if that is what was chosen */
    private record Choice(SizePolicy policy, Rooms.@Nullable Guest by) {}

    private record Seat(
            String name,
            boolean controls,
            Resizer resizer,
            @Nullable TerminalSize size) {

        JsonObject toJson() {
            return new JsonObject()
                    .put("viewer", name)
                    .put("rights", News.rights(controls))
                    .put("rows", size == null ? null : size.rows())
                    .put("cols", size == null ? null : size.cols());
        }
    }

    /** In the order in which they came. */
    private final Map<Rooms.Guest, Seat> seats = new LinkedHashMap<>();

    private Choice choice = new Choice(SizePolicy.LATEST, null);
    private @Nullable TerminalSize given;

    void enter(Rooms.Guest guest, String name, boolean controls, Resizer resizer) {
        seats.put(guest, new Seat(name, controls, resizer, null));
    }

    Change leave(Rooms.Guest guest) {
        Seat left = seats.remove(guest);
        return left == null ? Change.NONE : new Change(settle(left.resizer(), null), () -> {});
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    Change resized(Rooms.Guest guest, TerminalSize size) {
        Seat seat = seats.get(guest);
        if (seat == null) {
            return Change.NONE;
        }
        var sized = new Seat(seat.name(), seat.controls(), seat.resizer(), size);
        seats.put(guest, sized);
        return new Change(settle(seat.resizer(), size), () -> seats.replace(guest, sized, seat));
    }

    /** Under {@code leader}, whoever chooses it leads. */
    Change choose(Rooms.Guest guest, SizePolicy policy) {
        Seat seat = seats.get(guest);
        if (seat == null) {
            return Change.NONE;
        }
        Choice before = choice;
        var made = new Choice(policy, policy == SizePolicy.LEADER ? guest : null);
        choice = made;
        given = null;
        return new Change(settle(seat.resizer(), null), () -> choice = choice == made ? before : choice);
    }

    /** It was refused: it counts for nothing, and as what was given last may not have been taken, whoever says it next is to try again. */
    void undo(Change refused) {
        refused.takeBack().run();
        given = null;
    }

    /** @param said just now; null if nobody did */
    private Future<@Nullable Long> settle(Resizer resizer, @Nullable TerminalSize said) {
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
        return seats.values().stream().flatMap(seat -> Stream.ofNullable(seat.size()));
    }

    /** When the one who was chosen has left, it is the first of those who have said a size. */
    private @Nullable Seat leader() {
        if (choice.policy() != SizePolicy.LEADER) {
            return null;
        }
        Seat lead = choice.by() == null ? null : seats.get(choice.by());
        return lead != null
                ? lead
                : seats.values().stream()
                        .filter(seat -> seat.size() != null)
                        .findFirst()
                        .orElse(null);
    }

    JsonObject toJson() {
        var viewers = new JsonArray();
        seats.values().forEach(seat -> viewers.add(seat.toJson()));
        Seat lead = leader();
        return News.viewers(viewers, choice.policy(), lead == null ? null : lead.name());
    }

    List<Rooms.Guest> guests() {
        return List.copyOf(seats.keySet());
    }
}
