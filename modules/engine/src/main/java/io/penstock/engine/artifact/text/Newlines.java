package io.penstock.engine.artifact.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Counts and finds line feeds, eight bytes at a time. */
public final class Newlines {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EVERY_BYTE_LF = 0x0a0a0a0a0a0a0a0aL;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;

    private Newlines() {}

    public static int count(byte[] bytes, int from, int to) {
        int count = 0;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            count += Long.bitCount(found((long) LONGS.get(bytes, at)));
        }
        for (; at < to; at++) {
            if (bytes[at] == '\n') {
                count++;
            }
        }
        return count;
    }

    /** Counts in a buffer's remaining bytes, without changing its position. */
    public static int count(ByteBuffer buffer) {
        // In its default byte order a buffer swaps the bytes of each word, which takes longer than counting.
        ByteBuffer bytes = buffer.duplicate().order(ByteOrder.nativeOrder());
        int count = 0;
        int at = bytes.position();
        int to = bytes.limit();
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            count += Long.bitCount(found(bytes.getLong(at)));
        }
        for (; at < to; at++) {
            if (bytes.get(at) == '\n') {
                count++;
            }
        }
        return count;
    }

    /** The index of the n-th line feed; there are at least n, and n is 1 or more. */
    public static int find(byte[] bytes, int from, int to, long n) {
        long left = n;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            int here = Long.bitCount(found((long) LONGS.get(bytes, at)));
            if (here >= left) {
                break;
            }
            left -= here;
        }
        for (; at < to; at++) {
            if (bytes[at] == '\n' && --left == 0) {
                return at;
            }
        }
        throw new IllegalArgumentException("There are fewer than " + n + " line feeds");
    }

    /** Sets the highest bit of each byte that is a line feed; exact, because no carry leaves its byte. */
    private static long found(long word) {
        long zeroWhereLf = word ^ EVERY_BYTE_LF;
        return ~((zeroWhereLf & LOW_BITS) + LOW_BITS | zeroWhereLf | LOW_BITS);
    }
}
