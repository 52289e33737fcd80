package io.penstock.engine.log.once;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class KnownKeysTest {

    private final KnownKeys keys = new KnownKeys(3, 100);

    @Test
    void leastRecentlyUsedKeyIsEvictedFirst() {
        keys.drainedTo(10);
        for (int i = 0; i < 3; i++) {
            answered(i, i, 1);
        }
        assertNotNull(keys.get(key(0)));
        answered(3, 3, 1);
        assertNotNull(keys.get(key(0)));
        assertNull(keys.get(key(1)));
        assertEquals(3, keys.size());
        assertEquals(0, keys.underWay());
    }

    @Test
    void undrainedKeysStayHoweverManyThereAre() {
        for (int i = 0; i < 50; i++) {
            answered(i, 100 + i, 40);
        }
        assertEquals(50, keys.size());
        keys.drainedTo(149);
        // A hundred bytes have room for two of 40, and one is undrained.
        assertEquals(3, keys.size());
        assertNotNull(keys.get(key(47)));
        assertNotNull(keys.get(key(48)));
        assertNotNull(keys.get(key(49)));
        keys.drainedTo(150);
        assertEquals(2, keys.size());
        assertNull(keys.get(key(47)));
    }

    @Test
    void releasedKeyIsDroppedOnceDrained() {
        KeyEntry entry = begin(1);
        entry.position = 5;
        keys.settle(entry, new KeyState.Free(0));
        keys.drainedTo(5);
        assertNotNull(keys.get(key(1)));
        keys.drainedTo(6);
        assertEquals(0, keys.size());
    }

    @Test
    void reclaimedKeyStaysUntilItsLastRecordIsDrained() {
        KeyEntry entry = begin(1);
        entry.position = 5;
        keys.settle(entry, new KeyState.Free(0));
        var again = new KeyState.UnderWay(claim(), Promise.promise());
        keys.setUnderWay(entry, again);
        entry.position = 6;
        keys.drainedTo(7);
        assertNotNull(keys.get(key(1)));
        assertEquals(1, keys.underWay());
        entry.position = 8;
        keys.settle(entry, new KeyState.Free(0));
        keys.drainedTo(8);
        assertNotNull(keys.get(key(1)));
        keys.drainedTo(9);
        assertEquals(0, keys.size());
        assertEquals(0, keys.underWay());
    }

    @Test
    void keyTooLargeForTheMemoryIsNotKept() {
        keys.drainedTo(10);
        answered(1, 1, 101);
        assertEquals(0, keys.size());
        answered(2, 2, 100);
        assertEquals(1, keys.size());
    }

    private void answered(int number, long position, int bytes) {
        KeyEntry entry = begin(number);
        entry.position = position;
        keys.settle(entry, new KeyState.Answered(claim(), new byte[bytes]));
    }

    private KeyEntry begin(int number) {
        KeyEntry entry = keys.addLookingUp(key(number), new KeyState.LookingUp(Promise.promise()));
        keys.setUnderWay(entry, new KeyState.UnderWay(claim(), Promise.promise()));
        return entry;
    }

    private static KeyState.Claim claim() {
        return new KeyState.Claim(1, new byte[] {1}, 1);
    }

    private static OwnedKey key(int number) {
        return new OwnedKey("p", "k" + number);
    }
}
