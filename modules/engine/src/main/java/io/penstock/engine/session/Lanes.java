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
 * Admits a node's tasks: oldest first, but a session at its limit does not hold up the others. May be called from any thread.
 */
public final class Lanes {

    /** The running and waiting tasks of a lane; removed once it has none. */
    private static final class Lane {
        final ArrayDeque<LaneSlot> waiting = new ArrayDeque<>();
        int running;
    }

    private final Quotas quotas;
    private final Map<LaneKey, Lane> lanes = new HashMap<>();

    /** The lanes that have room, by the arrival of their first task. */
    private final TreeMap<Long, Lane> next = new TreeMap<>();

    private long arrivals;
    private int running;
    private int waiting;
    private boolean closed;

    /** Agents are admitted apart from other tasks; null in the lanes that do it. */
    private final @Nullable Lanes agents;

    public Lanes(Quotas quotas) {
        this(quotas, new Lanes(quotas.ofAgents(), null));
    }

    private Lanes(Quotas quotas, @Nullable Lanes agents) {
        this.quotas = quotas;
        this.agents = agents;
    }

    private Lanes of(LaneKey key) {
        return agents != null && key.kind() == LaneKey.Kind.AGENTS ? agents : this;
    }

    /** Acquires a slot, or throws {@code QUOTA_EXCEEDED} if the queue is full too. */
    public LaneSlot enter(LaneKey lane) {
        return of(lane).enter(lane, -1, false);
    }

    /** For a task that was accepted before: it is never refused. */
    public LaneSlot enterAccepted(LaneKey lane) {
        return of(lane).enter(lane, -1, true);
    }

    /** For a task that was queued when the server stopped, with its arrival then. Call it oldest first, before any new task. */
    public LaneSlot restore(LaneKey lane, long arrival) {
        return of(lane).enter(lane, arrival, true);
    }

    /** @param arrival negative for a new task */
    private LaneSlot enter(LaneKey key, long arrival, boolean accepted) {
        LaneSlot slot;
        List<LaneSlot> admitted;
        synchronized (this) {
            long number = Math.max(arrivals, arrival);
            arrivals = number + 1;
            slot = new LaneSlot(key, number, waiting);
            Lane lane = lanes.computeIfAbsent(slot.lane, absent -> new Lane());
            boolean waits = running >= quotas.running() || !hasRoom(slot.lane, lane) || !lane.waiting.isEmpty();
            if (waits && !accepted && waiting >= quotas.queued()) {
                removeIfEmpty(slot.lane, lane);
                throw new Failure(
                        FailureCode.QUOTA_EXCEEDED,
                        "Too many tasks: " + running + " run and " + waiting + " of " + quotas.queued()
                                + " places in the queue are taken. Try again when some have ended.");
            }
            lane.waiting.add(slot);
            waiting++;
            offer(slot.lane, lane);
            admitted = takeAdmitted();
        }
        admitted.forEach(LaneSlot::admit);
        return slot;
    }

    /** Releases the slot, whether it ran or waited, and admits others. May be called more than once. */
    public void release(LaneSlot slot) {
        of(slot.lane).releaseHere(slot);
    }

    private void releaseHere(LaneSlot slot) {
        List<LaneSlot> admitted;
        synchronized (this) {
            if (slot.released) {
                return;
            }
            slot.released = true;
            Lane lane = lanes.get(slot.lane);
            if (lane == null) {
                throw new IllegalStateException("the lane " + slot.lane + " of a slot does not exist");
            }
            boolean first = lane.waiting.peekFirst() == slot;
            if (lane.waiting.remove(slot)) {
                waiting--;
                if (first) {
                    next.remove(slot.arrival);
                }
            } else {
                lane.running--;
                running--;
            }
            offer(slot.lane, lane);
            removeIfEmpty(slot.lane, lane);
            admitted = takeAdmitted();
        }
        admitted.forEach(LaneSlot::admit);
    }

    /** Admits no task from now on. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (agents != null) {
            agents.close();
        }
    }

    /** Undoes {@link #close} and admits the tasks for which there is room. */
    public void open() {
        List<LaneSlot> admitted;
        synchronized (this) {
            closed = false;
            admitted = takeAdmitted();
        }
        admitted.forEach(LaneSlot::admit);
        if (agents != null) {
            agents.open();
        }
    }

    /** The number of admitted tasks, agents included. */
    public int running() {
        int others = agents == null ? 0 : agents.running();
        synchronized (this) {
            return running + others;
        }
    }

    public int waiting() {
        int others = agents == null ? 0 : agents.waiting();
        synchronized (this) {
            return waiting + others;
        }
    }

    private boolean hasRoom(LaneKey key, Lane lane) {
        return lane.running < key.limit(quotas);
    }

    private void offer(LaneKey key, Lane lane) {
        LaneSlot first = lane.waiting.peekFirst();
        if (first != null && hasRoom(key, lane)) {
            next.put(first.arrival, lane);
        }
    }

    private List<LaneSlot> takeAdmitted() {
        List<LaneSlot> admitted = new ArrayList<>(1);
        while (!closed && running < quotas.running() && !next.isEmpty()) {
            Lane lane = next.pollFirstEntry().getValue();
            LaneSlot slot = lane.waiting.removeFirst();
            waiting--;
            running++;
            lane.running++;
            admitted.add(slot);
            offer(slot.lane, lane);
        }
        return admitted;
    }

    private void removeIfEmpty(LaneKey key, Lane lane) {
        if (lane.running == 0 && lane.waiting.isEmpty()) {
            lanes.remove(key);
        }
    }
}
