package io.penstock.engine.artifact;

import io.penstock.frames.Limits;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest bytes of outputs that are no longer stored, kept in memory for live followers. If there are too many such outputs, those
 * written last are kept. Any thread may read.
 */
final class UnstoredBytes {

    /** The newest bytes of one output. */
    private static final class Ring {
        private final byte[] bytes = new byte[Limits.ARTIFACT_UNSTORED_BYTES];
        private long start;
        private long end;
        private boolean used = true;

        synchronized void put(long offset, ByteBuffer more) {
            if (offset != end) {
                start = offset;
            }
            int length = more.remaining();
            int skipped = Math.max(0, length - bytes.length);
            for (int at = skipped; at < length; ) {
                int place = (int) ((offset + at) % bytes.length);
                int piece = Math.min(length - at, bytes.length - place);
                more.get(more.position() + at, bytes, place, piece);
                at += piece;
            }
            end = offset + length;
            start = Math.max(start, end - bytes.length);
            used = true;
        }

        synchronized byte @Nullable [] read(long from, long to) {
            if (from < start || to > end || from >= to) {
                return null;
            }
            byte[] read = new byte[(int) (to - from)];
            for (int at = 0; at < read.length; ) {
                int place = (int) ((from + at) % bytes.length);
                int piece = Math.min(read.length - at, bytes.length - place);
                System.arraycopy(bytes, place, read, at, piece);
                at += piece;
            }
            return read;
        }

        synchronized long start() {
            return start;
        }

        synchronized long end() {
            return end;
        }

        /** Whether nothing was written since the last call. */
        synchronized boolean isUnused() {
            boolean unused = !used;
            used = false;
            return unused;
        }
    }

    private final LinkedHashMap<String, Ring> rings = new LinkedHashMap<>(16, 0.75f, true);

    void put(String artifactId, long offset, ByteBuffer bytes) {
        Ring ring;
        synchronized (this) {
            ring = rings.computeIfAbsent(artifactId, id -> new Ring());
            if (rings.size() > Limits.ARTIFACT_UNSTORED_OUTPUTS) {
                rings.pollFirstEntry();
            }
        }
        ring.put(offset, bytes);
    }

    /** All of these bytes; null if one of them is no longer kept, or not written yet. */
    byte @Nullable [] read(String artifactId, long from, long to) {
        Ring ring = ring(artifactId);
        return ring == null ? null : ring.read(from, to);
    }

    /** The end of the kept bytes; 0 if there are none. */
    long end(String artifactId) {
        Ring ring = ring(artifactId);
        return ring == null ? 0 : ring.end();
    }

    /** The start of the kept bytes; 0 if there are none. */
    long start(String artifactId) {
        Ring ring = ring(artifactId);
        return ring == null ? 0 : ring.start();
    }

    private synchronized @Nullable Ring ring(String artifactId) {
        return rings.get(artifactId);
    }

    /** Drops bytes of ended outputs that were not written since the last call: live followers have read them by now. */
    synchronized void forgetEnded(Predicate<String> growing) {
        rings.entrySet().removeIf(each -> each.getValue().isUnused() && !growing.test(each.getKey()));
    }

    synchronized void forget(String artifactId) {
        rings.remove(artifactId);
    }
}
