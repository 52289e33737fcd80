package io.penstock.engine.view;

import io.penstock.frames.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest output frames of a task as JSON, text included, encoded by one viewer for others at about the same place. A
 * viewer that misses a frame here encodes it itself, with the same result. May be called from any thread.
 */
public final class EncodedTail {

    private record Encoded(long seq, byte[] json) {}

    private final AtomicReferenceArray<@Nullable Encoded> newest = new AtomicReferenceArray<>(Limits.ENCODED_FRAMES);
    private final AtomicReferenceArray<@Nullable Encoded> newestLarge =
            new AtomicReferenceArray<>(Limits.ENCODED_LARGE_FRAMES);
    private final AtomicInteger viewers = new AtomicInteger();

    EncodedTail() {}

    void join() {
        viewers.incrementAndGet();
    }

    /** @return whether the last viewer has left */
    boolean release() {
        return viewers.decrementAndGet() == 0;
    }

    /** The frame as JSON; must not be changed. */
    byte @Nullable [] find(long seq) {
        byte[] found = find(newest, seq);
        return found != null ? found : find(newestLarge, seq);
    }

    private static byte @Nullable [] find(AtomicReferenceArray<@Nullable Encoded> ring, long seq) {
        Encoded found = ring.get(slot(ring, seq));
        return found != null && found.seq() == seq ? found.json() : null;
    }

    /** Offers an encoded frame to other viewers, if there are any. */
    void put(long seq, byte[] json) {
        if (viewers.get() > 1 && json.length <= Limits.ENCODED_LARGE_FRAME_BYTES) {
            var ring = json.length <= Limits.ENCODED_FRAME_BYTES ? newest : newestLarge;
            ring.set(slot(ring, seq), new Encoded(seq, json));
        }
    }

    private static int slot(AtomicReferenceArray<@Nullable Encoded> ring, long seq) {
        return (int) (seq % ring.length());
    }
}
