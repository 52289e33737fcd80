package io.penstock.engine.log.store;

import java.util.Arrays;

/** Journal positions of a stream's newest frames, oldest first. Frees its array when all are dropped. */
final class PositionRing {

    private static final long[] NONE = {};
    private static final int FIRST_SIZE = 8;

    private long[] ring = NONE;
    private int head;
    private int size;

    int size() {
        return size;
    }

    long get(int index) {
        return ring[head + index & ring.length - 1];
    }

    void add(long position) {
        if (size == ring.length) {
            grow();
        }
        ring[head + size & ring.length - 1] = position;
        size++;
    }

    void dropFirst(int count) {
        if (count < 0 || count > size) {
            throw new IllegalArgumentException(count + " of " + size + " positions cannot be dropped");
        }
        size -= count;
        if (size == 0) {
            ring = NONE;
            head = 0;
        } else {
            head = head + count & ring.length - 1;
        }
    }

    private void grow() {
        long[] larger = new long[Math.max(FIRST_SIZE, ring.length * 2)];
        for (int i = 0; i < size; i++) {
            larger[i] = get(i);
        }
        ring = larger;
        head = 0;
    }

    long[] copy(int from, int count) {
        long[] copy = new long[count];
        Arrays.setAll(copy, i -> get(from + i));
        return copy;
    }
}
