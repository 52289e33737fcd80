package io.penstock.engine.pump;

import io.penstock.frames.Limits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of a task's output in their public form, text and all, as one who views it has made them: for the others who view it at
 * about the same place. What is not here, each makes anew, and it is the same whoever makes it. Any thread.
 */
final class EncodedTail {

    private record Encoded(long seq, byte[] json) {}

    private final AtomicReferenceArray<@Nullable Encoded> newest = new AtomicReferenceArray<>(Limits.ENCODED_FRAMES);
    private final AtomicInteger viewers = new AtomicInteger();

    EncodedTail() {}

    void join() {
        viewers.incrementAndGet();
    }

    /** Whether that was the last one. */
    boolean leave() {
        return viewers.decrementAndGet() == 0;
    }

    /** The frame as JSON; not to be written to. */
    byte @Nullable [] find(long seq) {
        Encoded found = newest.get(place(seq));
        return found != null && found.seq() == seq ? found.json() : null;
    }

    /** For others, if there are any. */
    void keep(long seq, byte[] json) {
        if (viewers.get() > 1 && json.length <= Limits.ENCODED_FRAME_BYTES) {
            newest.set(place(seq), new Encoded(seq, json));
        }
    }

    private static int place(long seq) {
        return (int) (seq % Limits.ENCODED_FRAMES);
    }
}
