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
 * The states of tasks that have ended, of those that were asked about last and of those that ended last: folding all frames of a long
 * one takes a while, and who fetches its output range by range asks each time. They stay true because nothing is added to a stream
 * behind the frame that tells the end; whatever will do that, such as another run, has to forget the task here. Any thread.
 */
final class EndedStateCache {

    private final Map<String, TaskState> asked = newest();

    /** Apart from the others: where many short tasks end, they push out none that somebody asks about. */
    private final Map<String, TaskState> over = newest();

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
        TaskState ended = over.remove(taskId);
        if (ended != null) {
            asked.put(taskId, ended);
        }
        return asked.get(taskId);
    }

    /** It has ended just now. */
    synchronized void put(String taskId, TaskState state) {
        over.put(taskId, state);
    }

    /** If it has ended. */
    synchronized TaskState putIfEnded(String taskId, TaskState state) {
        if (state.run().ending() != null) {
            asked.put(taskId, state);
        }
        return state;
    }

    /** As it is kept, or else folded, once for all who ask meanwhile. */
    Future<TaskState> of(String taskId, Supplier<Future<TaskState>> fold) {
        Promise<TaskState> told = Promise.promise();
        synchronized (this) {
            TaskState kept = find(taskId);
            Future<TaskState> underWay = kept == null ? folding.get(taskId) : Future.succeededFuture(kept);
            if (underWay != null) {
                return underWay;
            }
            folding.put(taskId, told.future());
        }
        Future.succeededFuture()
                .compose(here -> fold.get())
                .map(state -> putIfEnded(taskId, state))
                .onComplete(done -> {
                    synchronized (this) {
                        folding.remove(taskId);
                    }
                    told.handle(done);
                });
        return told.future();
    }
}
