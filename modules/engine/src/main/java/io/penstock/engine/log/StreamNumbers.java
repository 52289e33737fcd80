package io.penstock.engine.log;

import io.penstock.engine.log.postgres.Partitions;
import java.util.Map;

/**
 * Gives numbers to streams: the day of birth, the node, a counter. The day decides in which partition a stream's frames
 * live, all of them, however long it goes on.
 */
final class StreamNumbers {

    private static final int NODE_SHIFT = 30;
    private static final int NODES = 1 << (Partitions.STREAM_NO_DAY_SHIFT - NODE_SHIFT);
    private static final long PER_DAY = 1L << NODE_SHIFT;

    private final long node;
    private final Map<Integer, Long> lastGiven;
    private int day;
    private long next;

    /** The first and last number that a node may give on a day. */
    record Range(long first, long last) {

        static Range of(int nodeNo, int day) {
            if (nodeNo < 0 || nodeNo >= NODES) {
                throw new IllegalArgumentException(
                        "This database has seen " + nodeNo + " nodes; the numbers of streams have room for " + NODES);
            }
            long first = Partitions.firstStreamNo(day) + nodeNo * PER_DAY;
            return new Range(first, first + PER_DAY - 1);
        }
    }

    /**
     * Goes on after the last numbers that this node gave.
     *
     * @param lastGiven by day; also of days to come, for a clock may have been set back since
     */
    StreamNumbers(int nodeNo, int day, Map<Integer, Long> lastGiven) {
        this.node = nodeNo;
        this.lastGiven = Map.copyOf(lastGiven);
        this.day = day;
        this.next = firstFree();
    }

    private long firstFree() {
        Long last = lastGiven.get(day);
        return last == null ? Range.of((int) node, day).first() : last + 1;
    }

    /** Clocks may be set back; days are not. */
    long next(int today) {
        if (today > day) {
            day = today;
            next = firstFree();
        }
        if (next > Range.of((int) node, day).last()) {
            throw new IllegalStateException("This node has begun " + PER_DAY + " streams today");
        }
        return next++;
    }

    static int dayOf(long streamNo) {
        return (int) (streamNo >> Partitions.STREAM_NO_DAY_SHIFT);
    }

    static int dayOfMillis(long epochMillis) {
        return (int) Math.floorDiv(epochMillis, 86_400_000L);
    }
}
