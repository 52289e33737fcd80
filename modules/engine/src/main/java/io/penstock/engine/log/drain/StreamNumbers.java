package io.penstock.engine.log.drain;

import io.penstock.engine.log.postgres.Partitions;
import java.util.Map;

/**
 * Assigns numbers to streams, made of the day of creation, the node and a counter. The day determines the partition of
 * all of a stream's frames, however long the stream lasts.
 */
public final class StreamNumbers {

    private static final int NODE_SHIFT = 30;
    private static final int NODES = 1 << (Partitions.STREAM_NO_DAY_SHIFT - NODE_SHIFT);
    private static final long PER_DAY = 1L << NODE_SHIFT;

    private final long node;
    private final Map<Integer, Long> lastGiven;
    private int day;
    private long next;

    /** The first and last number that a node may assign on a day. */
    public record Range(long first, long last) {

        public static Range of(int nodeNo, int day) {
            if (nodeNo < 0 || nodeNo >= NODES) {
                throw new IllegalArgumentException(
                        "This database has seen " + nodeNo + " nodes; stream numbers have room for " + NODES);
            }
            long first = Partitions.firstStreamNo(day) + nodeNo * PER_DAY;
            return new Range(first, first + PER_DAY - 1);
        }
    }

    /**
     * Continues after the last numbers that this node assigned.
     *
     * @param lastGiven by day; also of future days, since a clock may have been set back
     */
    public StreamNumbers(int nodeNo, int day, Map<Integer, Long> lastGiven) {
        this.node = nodeNo;
        this.lastGiven = Map.copyOf(lastGiven);
        this.day = day;
        this.next = firstFree();
    }

    private long firstFree() {
        Long last = lastGiven.get(day);
        return last == null ? Range.of((int) node, day).first() : last + 1;
    }

    /** The clock may go back; the day does not. */
    public long next(int today) {
        if (today > day) {
            day = today;
            next = firstFree();
        }
        if (next > Range.of((int) node, day).last()) {
            throw new IllegalStateException("This node has begun " + PER_DAY + " streams today");
        }
        return next++;
    }

    public static int dayOf(long streamNo) {
        return (int) (streamNo >> Partitions.STREAM_NO_DAY_SHIFT);
    }

    public static int dayOfMillis(long epochMillis) {
        return (int) Math.floorDiv(epochMillis, 86_400_000L);
    }
}
