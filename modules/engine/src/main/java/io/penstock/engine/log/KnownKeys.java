package io.penstock.engine.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys in memory. Those under way, and those whose last record the database may not have yet, stay; of the
 * others the most recently used stay, up to a limit. So what is not here is in the database as it is. Guarded by the gate's
 * lock.
 */
final class KnownKeys {

    private record Undrained(KeyEntry entry, long position) {}

    private final int maxResting;
    private final long maxRestingBytes;

    /** Under way or undrained. The journal's backlog bounds how many are undrained. */
    private final Map<OwnedKey, KeyEntry> busy = new HashMap<>();

    /** Settled and in the database, the least recently used first. */
    private final LinkedHashMap<OwnedKey, KeyEntry> resting = new LinkedHashMap<>(16, 0.75f, true);

    /** Settled entries in the order in which their last records will be drained. */
    private final Deque<Undrained> undrained = new ArrayDeque<>();

    private long restingBytes;
    private long drained;
    private int underWay;

    KnownKeys(int maxResting, long maxRestingBytes) {
        this.maxResting = maxResting;
        this.maxRestingBytes = maxRestingBytes;
    }

    @Nullable
    KeyEntry get(OwnedKey key) {
        KeyEntry entry = busy.get(key);
        return entry != null ? entry : resting.get(key);
    }

    int size() {
        return busy.size() + resting.size();
    }

    int underWay() {
        return underWay;
    }

    KeyEntry look(OwnedKey key, KeyState.Looking looking) {
        var entry = new KeyEntry(key, looking);
        busy.put(key, entry);
        underWay++;
        return entry;
    }

    void begin(KeyEntry entry, KeyState.UnderWay begun) {
        if (!entry.isUnderWay()) {
            underWay++;
        }
        if (resting.remove(entry.key) != null) {
            restingBytes -= entry.bytes();
        }
        busy.put(entry.key, entry);
        entry.state = begun;
    }

    /** The entry is not under way any more. */
    void settle(KeyEntry entry, KeyState settled) {
        entry.state = settled;
        underWay--;
        if (entry.position < drained) {
            rest(entry);
        } else {
            undrained.add(new Undrained(entry, entry.position));
        }
    }

    /** The database has all records below this position. */
    void drainedTo(long position) {
        drained = position;
        while (!undrained.isEmpty() && undrained.getFirst().position() < position) {
            KeyEntry entry = undrained.removeFirst().entry();
            // It may have been taken and settled again since, and wait for a later record.
            if (!entry.isUnderWay() && entry.position < position && busy.get(entry.key) == entry) {
                rest(entry);
            }
        }
    }

    private void rest(KeyEntry entry) {
        busy.remove(entry.key);
        if (entry.state instanceof KeyState.Free) {
            return;
        }
        resting.put(entry.key, entry);
        restingBytes += entry.bytes();
        while (resting.size() > maxResting || restingBytes > maxRestingBytes) {
            restingBytes -= resting.pollFirstEntry().getValue().bytes();
        }
    }
}
