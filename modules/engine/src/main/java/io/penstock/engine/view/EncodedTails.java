package io.penstock.engine.view;

import java.util.concurrent.ConcurrentHashMap;

/** The encoded tails of all viewed tasks. A tail exists as long as it has viewers. May be called from any thread. */
public final class EncodedTails {

    private record Viewed(String taskId, InlineText inline) {}

    private final ConcurrentHashMap<Viewed, EncodedTail> tails = new ConcurrentHashMap<>();

    public EncodedTail join(String taskId, InlineText inline) {
        return tails.compute(new Viewed(taskId, inline), (viewed, known) -> {
            EncodedTail tail = known == null ? new EncodedTail() : known;
            tail.join();
            return tail;
        });
    }

    public void release(String taskId, InlineText inline) {
        tails.computeIfPresent(new Viewed(taskId, inline), (viewed, tail) -> tail.release() ? null : tail);
    }

    int size() {
        return tails.size();
    }
}
