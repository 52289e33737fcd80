package io.penstock.bench.fuzz;

import java.util.ArrayDeque;
import java.util.List;

/** The ids of the newest tasks, so that requests reach existing tasks in every state. */
final class KnownTasks {

    private static final int MOST = 64;

    private final ArrayDeque<String> ids = new ArrayDeque<>();

    synchronized void add(String id) {
        ids.addLast(id);
        if (ids.size() > MOST) {
            ids.removeFirst();
        }
    }

    synchronized String any(OddValues odd) {
        return ids.isEmpty() ? "none" : odd.one(List.copyOf(ids));
    }
}
