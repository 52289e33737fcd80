package io.penstock.bench.load;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * Checks one viewer's stream as it arrives: each frame once, in order, from 0 on, and each piece of output right after
 * the previous one. It parses no more of the JSON than that takes, so that the load is the server's and not the
 * client's.
 */
public final class SeenStream {

    private static final byte[] ID = ascii("id: ");
    private static final byte[] OFFSET = ascii("\"offset_bytes\":");
    private static final byte[] COVERS = ascii("\"bytes\":");
    private static final byte[] STDERR = ascii("\"stream\":\"stderr\"");
    private static final byte[] WRITTEN = ascii("@");
    private static final int TIME_DIGITS = 16;

    /** Called with the time at which a line was written. */
    public interface Times {
        void written(long epochMicros);
    }

    private final Times times;
    private byte[] rest = new byte[0];
    private long nextSeq;
    private final long[] nextOffset = new long[2];
    private long wireBytes;
    private long lost;
    private long doubled;
    private long outOfPlace;

    public SeenStream(Times times) {
        this.times = times;
    }

    long frames() {
        return nextSeq;
    }

    public long outputBytes() {
        return nextOffset[0] + nextOffset[1];
    }

    public long wireBytes() {
        return wireBytes;
    }

    public long lost() {
        return lost;
    }

    public long doubled() {
        return doubled;
    }

    public long outOfPlace() {
        return outOfPlace;
    }

    public void add(Buffer more) {
        wireBytes += more.length();
        byte[] bytes = more.getBytes();
        if (rest.length > 0) {
            byte[] joined = new byte[rest.length + bytes.length];
            System.arraycopy(rest, 0, joined, 0, rest.length);
            System.arraycopy(bytes, 0, joined, rest.length, bytes.length);
            bytes = joined;
        }
        int from = 0;
        for (int end = end(bytes, from); end >= 0; end = end(bytes, from)) {
            event(bytes, from, end);
            from = end + 2;
        }
        rest = java.util.Arrays.copyOfRange(bytes, from, bytes.length);
    }

    /** JSON contains no raw line feed, so two of them end an event. */
    private static int end(byte[] bytes, int from) {
        for (int i = from; i + 1 < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void event(byte[] bytes, int from, int end) {
        if (!startsWith(bytes, from, end, ID)) {
            return; // a heartbeat, or the reconnection delay
        }
        long seq = number(bytes, from + ID.length, end);
        if (seq < nextSeq) {
            doubled++;
            return;
        }
        lost += seq - nextSeq;
        nextSeq = seq + 1;
        int offsetAt = lastIndexOf(bytes, from, end, OFFSET);
        if (offsetAt < 0) {
            return;
        }
        int channel = indexOf(bytes, from, Math.min(end, from + 600), STDERR) < 0 ? 0 : 1;
        long offset = number(bytes, offsetAt + OFFSET.length, end);
        long covers = number(bytes, indexOf(bytes, offsetAt, end, COVERS) + COVERS.length, end);
        if (offset != nextOffset[channel]) {
            outOfPlace++;
        }
        nextOffset[channel] = offset + covers;
        int written = indexOf(bytes, from, end, WRITTEN);
        if (written >= 0 && written + 1 + TIME_DIGITS < end) {
            times.written(time(bytes, written + 1));
        }
    }

    /** Seconds, a point, six digits. */
    private static long time(byte[] bytes, int at) {
        long time = 0;
        for (int i = at; i <= at + TIME_DIGITS; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                time = 10 * time + bytes[i] - '0';
            }
        }
        return time;
    }

    private static long number(byte[] bytes, int at, int end) {
        long number = 0;
        for (int i = at; i < end && bytes[i] >= '0' && bytes[i] <= '9'; i++) {
            number = 10 * number + bytes[i] - '0';
        }
        return number;
    }

    private static int indexOf(byte[] bytes, int from, int end, byte[] wanted) {
        for (int i = from; i + wanted.length <= end; i++) {
            if (startsWith(bytes, i, end, wanted)) {
                return i;
            }
        }
        return -1;
    }

    private static int lastIndexOf(byte[] bytes, int from, int end, byte[] wanted) {
        // Little follows the text of a piece of output.
        for (int i = end - wanted.length; i >= Math.max(from, end - 400); i--) {
            if (startsWith(bytes, i, end, wanted)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean startsWith(byte[] bytes, int at, int end, byte[] wanted) {
        if (at + wanted.length > end) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
