package io.penstock.engine.pump;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows tasks to the tasks that started them, also through those that have ended. May be called from any thread. */
final class Descendants {

    private static final Logger log = LoggerFactory.getLogger(Descendants.class);

    private final Shards shards;
    private final Function<String, Future<TaskState>> states;
    private final Function<String, Future<@Nullable ToolTaskSpawned>> specs;

    /**
     * @param states reads the state of a task, living or ended
     * @param specs reads only its first frame
     */
    Descendants(
            Shards shards,
            Function<String, Future<TaskState>> states,
            Function<String, Future<@Nullable ToolTaskSpawned>> specs) {
        this.shards = shards;
        this.states = states;
        this.specs = specs;
    }

    /** The living tasks below a task, at any depth. */
    Future<List<String>> living(String taskId) {
        return shards.requestAll(new ShardRequest.Parents()).compose(all -> {
            var parents = new HashMap<String, String>();
            all.forEach(parents::putAll);
            return parents.isEmpty() ? Future.succeededFuture(List.of()) : new Search(taskId, parents).run();
        });
    }

    /** The nearest task above, the given one included, that was stopped; null if there is none. */
    Future<@Nullable String> stoppedAbove(String taskId) {
        return unlessRemoved(states.apply(taskId).<@Nullable TaskState>map(known -> known))
                .compose(state -> {
                    if (state == null) {
                        return Future.succeededFuture();
                    }
                    boolean over = state.phase() == Phase.STOPPING || state.phase() == Phase.ENDED;
                    if (over && state.run().stop() != null) {
                        return Future.succeededFuture(taskId);
                    }
                    String parent = parent(state.spec());
                    return parent == null ? Future.succeededFuture() : stoppedAbove(parent);
                });
    }

    /** Null if retention has removed the task. */
    private static <T> Future<@Nullable T> unlessRemoved(Future<@Nullable T> read) {
        return read.recover(e -> e instanceof Failure failure
                        && (failure.code() == FailureCode.TASK_NOT_FOUND || failure.code() == FailureCode.TASK_GONE)
                ? Future.succeededFuture()
                : Future.failedFuture(e));
    }

    private static @Nullable String parent(@Nullable ToolTaskSpawned spec) {
        TaskLinks links = spec == null ? null : spec.links();
        return links == null ? null : links.parentTaskId();
    }

    /** Climbs from each living task; what is above an ended one is read once. */
    private final class Search {
        private final String top;
        private final Map<String, String> living;
        private final Map<String, Future<Boolean>> below = new ConcurrentHashMap<>();

        Search(String top, Map<String, String> living) {
            this.top = top;
            this.living = living;
        }

        Future<List<String>> run() {
            List<String> tasks = List.copyOf(living.keySet());
            return Future.all(tasks.stream().map(this::isBelow).toList()).map(all -> {
                var found = new ArrayList<String>();
                for (int i = 0; i < tasks.size(); i++) {
                    if (all.<Boolean>resultAt(i)) {
                        found.add(tasks.get(i));
                    }
                }
                return found;
            });
        }

        private Future<Boolean> isBelow(String taskId) {
            Future<Boolean> known = below.get(taskId);
            if (known == null) {
                String parent = living.get(taskId);
                Future<@Nullable String> above = parent != null
                        ? Future.succeededFuture(parent)
                        : unlessRemoved(specs.apply(taskId)).map(Descendants::parent);
                known = above.compose(next -> next == null
                                ? Future.succeededFuture(false)
                                : next.equals(top) ? Future.succeededFuture(true) : isBelow(next))
                        .otherwise(e -> {
                            log.warn("It is not known which tasks are above {}: {}", taskId, e.getMessage());
                            return false;
                        });
                below.put(taskId, known);
            }
            return known;
        }
    }
}
