package io.penstock.engine.log.once;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys in memory. Keys with a running operation, and keys whose last record may not be in the database
 * yet, always stay; of the others, the most recently used stay, up to a limit. So the database has the current state of
 * every key that is not here. Guarded by the gate's lock.
 */
final class KnownKeys {

    private record Undrained(KeyEntry entry, long position) {}

    private final int maxSettled;
    private final long maxSettledBytes;

    /** Running or undrained. The journal's backlog bounds the undrained ones. */
    private final Map<OwnedKey, KeyEntry> active = new HashMap<>();

    /** Settled and in the database, the least recently used first. */
    private final LinkedHashMap<OwnedKey, KeyEntry> settled = new LinkedHashMap<>(16, 0.75f, true);

    /** Settled entries in the order in which their last records will be drained. */
    private final Deque<Undrained> undrained = new ArrayDeque<>();

    private long settledBytes;
    private long drained;
    private int underWay;

    KnownKeys(int maxSettled, long maxSettledBytes) {
        this.maxSettled = maxSettled;
        this.maxSettledBytes = maxSettledBytes;
    }

    @Nullable
    KeyEntry get(OwnedKey key) {
        KeyEntry entry = active.get(key);
        return entry != null ? entry : settled.get(key);
    }

    int size() {
        return active.size() + settled.size();
    }

    int underWay() {
        return underWay;
    }

    KeyEntry addLookingUp(OwnedKey key, KeyState.LookingUp looking) {
        var entry = new KeyEntry(key, looking);
        active.put(key, entry);
        underWay++;
        return entry;
    }

    void setUnderWay(KeyEntry entry, KeyState.UnderWay begun) {
        if (!entry.isUnderWay()) {
            underWay++;
        }
        if (settled.remove(entry.key) != null) {
            settledBytes -= entry.bytes();
        }
        active.put(entry.key, entry);
        entry.state = begun;
    }

    /** The operation of this entry has ended. */
    void settle(KeyEntry entry, KeyState settled) {
        entry.state = settled;
        underWay--;
        if (entry.position < drained) {
            moveToSettled(entry);
        } else {
            undrained.add(new Undrained(entry, entry.position));
        }
    }

    /** The database has all records below this position. */
    void drainedTo(long position) {
        drained = position;
        while (!undrained.isEmpty() && undrained.getFirst().position() < position) {
            KeyEntry entry = undrained.removeFirst().entry();
            // The key may have been claimed and settled again since, with a later record that is undrained.
            if (!entry.isUnderWay() && entry.position < position && active.get(entry.key) == entry) {
                moveToSettled(entry);
            }
        }
    }

    private void moveToSettled(KeyEntry entry) {
        active.remove(entry.key);
        if (entry.state instanceof KeyState.Free) {
            return;
        }
        settled.put(entry.key, entry);
        settledBytes += entry.bytes();
        while (settled.size() > maxSettled || settledBytes > maxSettledBytes) {
            settledBytes -= settled.pollFirstEntry().getValue().bytes();
        }
    }
}
