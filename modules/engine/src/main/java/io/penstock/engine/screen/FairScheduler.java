package io.penstock.engine.screen;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Shares a few workers among tasks. Each task has one turn at a time. The task that has used the least worker time is next, so a small
 * screen does not wait for a turn of every large one; a new task starts with the least time of those waiting. Requested work comes
 * before background work, which never occupies all workers. May be called from any thread.
 */
final class FairScheduler {

    /** The reason for a turn: a caller's request, or the update of a screen in the background. */
    enum Cause {
        REQUESTED,
        BACKGROUND
    }

    private final class Turn<T> {
        private final Callable<T> work;
        private final Promise<T> promise = Promise.promise();

        Turn(Callable<T> work) {
            this.work = work;
        }

        void run(String taskId, Cause cause) {
            workers.executeBlocking(() -> timed(taskId, work), false).onComplete(done -> {
                finish(taskId, cause);
                promise.handle(done);
            });
        }
    }

    private final WorkerExecutor workers;
    private final int maxRunning;
    private final Map<String, ArrayDeque<Turn<?>>> requested = new LinkedHashMap<>();
    private final Map<String, ArrayDeque<Turn<?>>> background = new LinkedHashMap<>();
    private final Set<String> running = new HashSet<>();

    /** Nanoseconds of worker time per task, where that is more than the least of the waiting tasks. */
    private final Map<String, Long> used = new HashMap<>();

    private int runningBackground;

    /** @param maxRunning maximum number of turns at the same time */
    FairScheduler(WorkerExecutor workers, int maxRunning) {
        this.workers = workers;
        this.maxRunning = maxRunning;
    }

    <T extends Object> Future<T> next(String taskId, Cause cause, Callable<T> work) {
        var turn = new Turn<T>(work);
        synchronized (this) {
            used.merge(taskId, leastUsed(), Math::max);
            waiting(cause).computeIfAbsent(taskId, id -> new ArrayDeque<>()).add(turn);
        }
        start();
        return turn.promise.future().map(Objects::requireNonNull);
    }

    private Map<String, ArrayDeque<Turn<?>>> waiting(Cause cause) {
        return switch (cause) {
            case REQUESTED -> requested;
            case BACKGROUND -> background;
        };
    }

    private <T> T timed(String taskId, Callable<T> work) throws Exception {
        long startedAt = System.nanoTime();
        try {
            return work.call();
        } finally {
            long nanos = System.nanoTime() - startedAt;
            synchronized (this) {
                used.merge(taskId, nanos, Long::sum);
            }
        }
    }

    private void finish(String taskId, Cause cause) {
        synchronized (this) {
            running.remove(taskId);
            // A task that returns soon continues with its used time, unless all others have used as much by then.
            long least = leastUsed();
            used.entrySet().removeIf(entry -> !isActive(entry.getKey()) && entry.getValue() <= least);
            runningBackground -= cause == Cause.BACKGROUND ? 1 : 0;
        }
        start();
    }

    private void start() {
        while (startOne(Cause.REQUESTED) || startOne(Cause.BACKGROUND)) {
            // Until all workers are busy, or every waiting task has a turn already.
        }
    }

    private boolean startOne(Cause cause) {
        String taskId;
        Turn<?> turn;
        synchronized (this) {
            boolean allBusy = running.size() >= maxRunning
                    || cause == Cause.BACKGROUND && runningBackground >= Math.max(1, maxRunning - 1);
            taskId = allBusy ? null : nextTask(waiting(cause));
            if (taskId == null) {
                return false;
            }
            turn = takeTurn(waiting(cause), taskId);
            running.add(taskId);
            runningBackground += cause == Cause.BACKGROUND ? 1 : 0;
        }
        turn.run(taskId, cause);
        return true;
    }

    private boolean isActive(String taskId) {
        return running.contains(taskId) || requested.containsKey(taskId) || background.containsKey(taskId);
    }

    /** The least time used by a task that waits or has a turn; without such tasks the most used, so that all start equal. */
    private long leastUsed() {
        return used.entrySet().stream()
                .filter(entry -> isActive(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .min()
                .orElseGet(() ->
                        used.values().stream().mapToLong(nanos -> nanos).max().orElse(0));
    }

    /** The task with the least used time; among equals, the one that has waited longest. */
    private @Nullable String nextTask(Map<String, ArrayDeque<Turn<?>>> waiting) {
        return waiting.keySet().stream()
                .filter(taskId -> !running.contains(taskId))
                .min(Comparator.comparingLong(taskId -> used.getOrDefault(taskId, 0L)))
                .orElse(null);
    }

    private static Turn<?> takeTurn(Map<String, ArrayDeque<Turn<?>>> waiting, String taskId) {
        ArrayDeque<Turn<?>> turns = Objects.requireNonNull(waiting.remove(taskId));
        Turn<?> turn = turns.remove();
        if (!turns.isEmpty()) {
            // To the end of the queue.
            waiting.put(taskId, turns);
        }
        return turn;
    }
}
