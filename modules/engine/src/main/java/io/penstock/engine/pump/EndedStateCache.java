package io.penstock.engine.pump;

import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The states of ended tasks: of the most recently requested and the most recently ended ones. Folding all frames of a long task takes
 * a while, and a client that fetches output range by range needs the state each time. The states stay true because nothing follows
 * the terminal status in a stream; what appends to an ended task, or removes it, must remove its state here. May be called from any thread.
 */
final class EndedStateCache {

    private final Map<String, TaskState> requested = newest();

    /** Separate, so that many short tasks that end do not evict requested ones. */
    private final Map<String, TaskState> recent = newest();

    private final Map<String, Future<TaskState>> folding = new HashMap<>();

    private static Map<String, TaskState> newest() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, TaskState> eldest) {
                return size() > Limits.ENDED_STATES;
            }
        };
    }

    synchronized @Nullable TaskState find(String taskId) {
        TaskState ended = recent.remove(taskId);
        if (ended != null) {
            requested.put(taskId, ended);
        }
        return requested.get(taskId);
    }

    /** The task has just ended. */
    synchronized void put(String taskId, TaskState state) {
        if (isFinal(state)) {
            recent.put(taskId, state);
        }
    }

    /** An agent may be resumed, which changes its state again. */
    private static boolean isFinal(TaskState state) {
        return state.run().ending() != null
                && (state.spec() == null || state.spec().agent() == null);
    }

    synchronized void remove(String taskId) {
        recent.remove(taskId);
        requested.remove(taskId);
    }

    synchronized void clear() {
        recent.clear();
        requested.clear();
    }

    /** Keeps the state if the task has ended. */
    synchronized TaskState putIfEnded(String taskId, TaskState state) {
        if (isFinal(state)) {
            requested.put(taskId, state);
        }
        return state;
    }

    /** The kept state, or else the result of the fold; concurrent callers share one fold. */
    Future<TaskState> of(String taskId, Supplier<Future<TaskState>> fold) {
        Promise<TaskState> folded = Promise.promise();
        synchronized (this) {
            TaskState kept = find(taskId);
            Future<TaskState> running = kept == null ? folding.get(taskId) : Future.succeededFuture(kept);
            if (running != null) {
                return running;
            }
            folding.put(taskId, folded.future());
        }
        Future.succeededFuture()
                .compose(here -> fold.get())
                .map(state -> putIfEnded(taskId, state))
                .onComplete(done -> {
                    synchronized (this) {
                        folding.remove(taskId);
                    }
                    folded.handle(done);
                });
        return folded.future();
    }
}
