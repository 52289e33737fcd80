package io.penstock.engine.pump;

import java.util.concurrent.ConcurrentHashMap;

/** The encoded tails of the tasks that are viewed, each as long as somebody does. */
final class EncodedTails {

    private final ConcurrentHashMap<String, EncodedTail> byTask = new ConcurrentHashMap<>();

    EncodedTail join(String taskId) {
        return byTask.compute(taskId, (id, known) -> {
            EncodedTail tail = known == null ? new EncodedTail() : known;
            tail.join();
            return tail;
        });
    }

    void leave(String taskId) {
        byTask.computeIfPresent(taskId, (id, tail) -> tail.leave() ? null : tail);
    }

    int size() {
        return byTask.size();
    }
}
