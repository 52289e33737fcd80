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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares a few workers among tasks by weighted fair queueing. Each task has one turn at a time. Next is the turn that would end first if
 * all waiting tasks were worked on at once: a small screen waits for about one turn of a large one, however many of those are queued, and
 * a large one is not overtaken for ever. A task that used more time than was expected waits longer. Requested work comes before background
 * work, which never occupies all workers. May be called from any thread.
 */
final class FairScheduler {

    /** The reason for a turn: a caller's request, or the update of a screen in the background. */
    enum Cause {
        REQUESTED,
        BACKGROUND
    }

    private final class Turn<T> {
        private final Callable<T> work;
        private final long expectedNanos;
        private final Promise<T> promise = Promise.promise();
        private volatile long workedNanos;

        Turn(Callable<T> work, long expectedNanos) {
            this.work = work;
            this.expectedNanos = expectedNanos;
        }

        void run(String taskId, Cause cause) {
            workers.executeBlocking(this::timed, false).onComplete(done -> {
                finish(taskId, cause, this);
                promise.handle(done);
            });
        }

        private T timed() throws Exception {
            long startedAt = clock.getAsLong();
            try {
                return work.call();
            } finally {
                workedNanos = clock.getAsLong() - startedAt;
            }
        }
    }

    /** Of opening, emulating and taking a screen, in the usual case. */
    static final long NANOS_PER_CELL = 30;

    private final WorkerExecutor workers;
    private final int maxRunning;
    private final LongSupplier clock;
    private final Map<String, ArrayDeque<Turn<?>>> requested = new LinkedHashMap<>();
    private final Map<String, ArrayDeque<Turn<?>>> background = new LinkedHashMap<>();
    private final Set<String> running = new HashSet<>();

    /**
     * The virtual time at which each task's next turn would begin if all were worked on at once; of tasks without turns only where that
     * is still to come.
     */
    private final Map<String, Long> begins = new HashMap<>();

    /** Nanoseconds of work on each of the waiting tasks. */
    private long virtualTime;

    private int runningBackground;

    /** Whether a thread is in the loop that starts turns. */
    private boolean starting;

    /** Whether that loop has to run once more. */
    private boolean startAgain;

    /**
     * @param maxRunning maximum number of turns at the same time
     * @param clock in nanoseconds
     */
    FairScheduler(WorkerExecutor workers, int maxRunning, LongSupplier clock) {
        this.workers = workers;
        this.maxRunning = maxRunning;
        this.clock = clock;
    }

    /** @param cells of the task's screen, which the cost of the turn is expected to grow with */
    <T extends Object> Future<T> next(String taskId, Cause cause, int cells, Callable<T> work) {
        var turn = new Turn<T>(work, Math.max(1, cells) * NANOS_PER_CELL);
        synchronized (this) {
            if (!isActive(taskId)) {
                begins.merge(taskId, virtualTime, Math::max);
            }
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

    private void finish(String taskId, Cause cause, Turn<?> turn) {
        synchronized (this) {
            begins.merge(taskId, turn.workedNanos, Long::sum);
            long active = begins.keySet().stream().filter(this::isActive).count();
            // It does not pass a waiting task, whose turn would then be ahead of all later ones: where turns
            // take longer than expected, it advances when all tasks have had theirs.
            long nanos = Math.min(turn.workedNanos, turn.expectedNanos);
            virtualTime = Math.max(virtualTime + nanos / active, firstBegin());
            running.remove(taskId);
            runningBackground -= cause == Cause.BACKGROUND ? 1 : 0;
            // A task that returns soon continues where it was, unless all others have used as much by then.
            begins.entrySet().removeIf(entry -> !isActive(entry.getKey()) && entry.getValue() <= virtualTime);
        }
        start();
    }

    /**
     * Starts turns until all workers are busy, or every waiting task has a turn. A turn may be over before its handler is set, and then
     * ends within this call: such ends are handled by the loop, since as many nested calls as there are turns would exhaust the stack.
     */
    private void start() {
        synchronized (this) {
            startAgain = true;
            if (starting) {
                return;
            }
            starting = true;
        }
        try {
            while (takeStartAgain()) {
                while (startOne(Cause.REQUESTED) || startOne(Cause.BACKGROUND)) {
                    // The condition starts them.
                }
            }
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                starting = false;
            }
            throw e;
        }
    }

    /** Whether turns were added or ended since the last time; if not, the loop is over. */
    private synchronized boolean takeStartAgain() {
        boolean again = startAgain;
        startAgain = false;
        starting = again;
        return again;
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

    private long firstBegin() {
        return begins.entrySet().stream()
                .filter(entry -> isActive(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .min()
                .orElse(virtualTime);
    }

    /** The task whose turn would end first; among equals, the one that has waited longest. */
    private @Nullable String nextTask(Map<String, ArrayDeque<Turn<?>>> waiting) {
        return waiting.entrySet().stream()
                .filter(entry -> !running.contains(entry.getKey()))
                .min(Comparator.comparingLong(entry -> begins.getOrDefault(entry.getKey(), virtualTime)
                        + entry.getValue().element().expectedNanos))
                .map(Map.Entry::getKey)
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
