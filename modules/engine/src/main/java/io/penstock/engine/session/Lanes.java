package io.penstock.engine.session;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who runs and who waits, of a whole node: oldest first, but a session at its limit keeps nobody else waiting. May be called from
 * any thread.
 */
public final class Lanes {

    static final String NO_SESSION = "";

    /** A session's part: how many of it run, and who waits, in order. There for as long as there is any of them. */
    private static final class Lane {
        final ArrayDeque<Place> waiting = new ArrayDeque<>();
        int running;
    }

    private final Quotas quotas;
    private final Map<String, Lane> lanes = new HashMap<>();

    /** The first of each lane that has room, by arrival. */
    private final TreeMap<Long, Lane> next = new TreeMap<>();

    private long arrivals;
    private int running;
    private int waiting;
    private boolean closed;

    public Lanes(Quotas quotas) {
        this.quotas = quotas;
    }

    /** Takes a place, or fails with {@code QUOTA_EXCEEDED} when there is no room to wait either. */
    public Place enter(@Nullable String session) {
        return enter(session, -1, false);
    }

    /** For one that was accepted before it came here: it is not refused any more. */
    public Place enterAccepted(@Nullable String session) {
        return enter(session, -1, true);
    }

    /** For one that waited when the server was stopped, with its arrival there; the oldest first, and all before anybody else. */
    public Place enterAgain(@Nullable String session, long arrival) {
        return enter(session, arrival, true);
    }

    /** @param arrival negative for one that comes now */
    private Place enter(@Nullable String session, long arrival, boolean always) {
        Place place;
        List<Place> in;
        synchronized (this) {
            long number = Math.max(arrivals, arrival);
            arrivals = number + 1;
            place = new Place(session, number, waiting);
            Lane lane = lanes.computeIfAbsent(place.lane, name -> new Lane());
            boolean waits = running >= quotas.running() || !hasRoom(place.lane, lane) || !lane.waiting.isEmpty();
            if (waits && !always && waiting >= quotas.queued()) {
                forgetIfEmpty(place.lane, lane);
                throw new Failure(
                        FailureCode.QUOTA_EXCEEDED,
                        "So many tasks run and wait that no more are taken: " + running + " run, " + waiting + " of "
                                + quotas.queued() + " wait. Try again when some have ended.");
            }
            lane.waiting.add(place);
            waiting++;
            offer(place.lane, lane);
            in = letIn();
        }
        in.forEach(Place::letIn);
        return place;
    }

    /** Gives the place up, whether it ran or waited; others may come in by that. Once is enough, more does nothing. */
    public void leave(Place place) {
        List<Place> in;
        synchronized (this) {
            if (place.left) {
                return;
            }
            place.left = true;
            Lane lane = lanes.get(place.lane);
            if (lane == null) {
                throw new IllegalStateException("A place of lane \"" + place.lane + "\", which nobody has entered");
            }
            boolean first = lane.waiting.peekFirst() == place;
            if (lane.waiting.remove(place)) {
                waiting--;
                if (first) {
                    next.remove(place.arrival);
                }
            } else {
                lane.running--;
                running--;
            }
            offer(place.lane, lane);
            forgetIfEmpty(place.lane, lane);
            in = letIn();
        }
        in.forEach(Place::letIn);
    }

    /** From here on nobody is let in any more. */
    public synchronized void close() {
        closed = true;
    }

    /** After a {@link #close}, those for whom there is room are let in again. */
    public void open() {
        List<Place> in;
        synchronized (this) {
            closed = false;
            in = letIn();
        }
        in.forEach(Place::letIn);
    }

    /** How many have a place to run. */
    public synchronized int running() {
        return running;
    }

    public synchronized int waiting() {
        return waiting;
    }

    private boolean hasRoom(String name, Lane lane) {
        return name.equals(NO_SESSION) || lane.running < quotas.runningPerSession();
    }

    private void offer(String name, Lane lane) {
        Place first = lane.waiting.peekFirst();
        if (first != null && hasRoom(name, lane)) {
            next.put(first.arrival, lane);
        }
    }

    private List<Place> letIn() {
        List<Place> in = new ArrayList<>(1);
        while (!closed && running < quotas.running() && !next.isEmpty()) {
            Lane lane = next.pollFirstEntry().getValue();
            Place place = lane.waiting.removeFirst();
            waiting--;
            running++;
            lane.running++;
            in.add(place);
            offer(place.lane, lane);
        }
        return in;
    }

    private void forgetIfEmpty(String name, Lane lane) {
        if (lane.running == 0 && lane.waiting.isEmpty()) {
            lanes.remove(name);
        }
    }
}
