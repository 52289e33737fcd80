package io.penstock.engine.view;

import io.penstock.frames.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of a task's output in their public form, text and all, as one who views it has made them: for the others who view it at
 * about the same place. What is not here, each makes anew, and it is the same whoever makes it. Any thread.
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

    /** Whether that was the last one. */
    boolean release() {
        return viewers.decrementAndGet() == 0;
    }

    /** The frame as JSON; not to be written to. */
    byte @Nullable [] find(long seq) {
        byte[] found = find(newest, seq);
        return found != null ? found : find(newestLarge, seq);
    }

    private static byte @Nullable [] find(AtomicReferenceArray<@Nullable Encoded> ring, long seq) {
        Encoded found = ring.get(place(ring, seq));
        return found != null && found.seq() == seq ? found.json() : null;
    }

    /** For others, if there are any. */
    void put(long seq, byte[] json) {
        if (viewers.get() > 1 && json.length <= Limits.ENCODED_LARGE_FRAME_BYTES) {
            var ring = json.length <= Limits.ENCODED_FRAME_BYTES ? newest : newestLarge;
            ring.set(place(ring, seq), new Encoded(seq, json));
        }
    }

    private static int place(AtomicReferenceArray<@Nullable Encoded> ring, long seq) {
        return (int) (seq % ring.length());
    }
}
