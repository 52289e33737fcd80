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

    private SizePolicy policy = SizePolicy.LATEST;
    private Rooms.@Nullable Guest chosen;
    private @Nullable TerminalSize given;

    void enter(Rooms.Guest guest, String name, boolean controls, Resizer resizer) {
        seats.put(guest, new Seat(name, controls, resizer, null));
    }

    Future<@Nullable Long> leave(Rooms.Guest guest) {
        Seat left = seats.remove(guest);
        return left == null ? Future.succeededFuture() : settle(left.resizer(), null);
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    /** Completes with null if the terminal's size does not change for it. */
    Future<@Nullable Long> resized(Rooms.Guest guest, TerminalSize size) {
        Seat seat = seats.get(guest);
        if (seat == null) {
            return Future.succeededFuture();
        }
        seats.put(guest, new Seat(seat.name(), seat.controls(), seat.resizer(), size));
        return settle(seat.resizer(), size);
    }

    /** Under {@code leader}, whoever chooses it leads. */
    Future<@Nullable Long> choose(Rooms.Guest guest, SizePolicy policy) {
        Seat seat = seats.get(guest);
        if (seat == null) {
            return Future.succeededFuture();
        }
        this.policy = policy;
        this.chosen = policy == SizePolicy.LEADER ? guest : null;
        this.given = null;
        return settle(seat.resizer(), null);
    }

    /** @param said just now; null if nobody did */
    private Future<@Nullable Long> settle(Resizer resizer, @Nullable TerminalSize said) {
        TerminalSize wanted = switch (policy) {
            case LATEST -> said;
            case SMALLEST -> smallest();
            case LEADER ->
                leader() == null ? null : Objects.requireNonNull(leader()).size();
            case FIXED -> null;
        };
        if (wanted == null || policy != SizePolicy.LATEST && wanted.equals(given)) {
            return Future.succeededFuture();
        }
        given = wanted;
        return resizer.resize(wanted).map(seq -> seq);
    }

    /** What was given last may not have been taken, so whoever says it next is to try again. */
    void givenInVain() {
        given = null;
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
        if (policy != SizePolicy.LEADER) {
            return null;
        }
        Seat lead = chosen == null ? null : seats.get(chosen);
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
        return News.viewers(viewers, policy, lead == null ? null : lead.name());
    }

    List<Rooms.Guest> guests() {
        return List.copyOf(seats.keySet());
    }
}
