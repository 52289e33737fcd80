package io.penstock.engine.view;

import java.util.concurrent.ConcurrentHashMap;

/** The encoded tails of the tasks that are viewed, each as long as somebody does, for those who are sent the same text. */
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
