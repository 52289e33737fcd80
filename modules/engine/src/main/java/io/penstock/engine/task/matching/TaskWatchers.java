package io.penstock.engine.task.matching;

import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.watch.WatchPlan;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which watchers a task has: those of its spawn, and those that were added later. Lives on its shard's context. */
public final class TaskWatchers {

    private final WorkerExecutor workers;
    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final OutputMatching matching;
    private final List<WatchSpec> specs = new ArrayList<>();
    private Future<?> adding = Future.succeededFuture();

    public TaskWatchers(WorkerExecutor workers, TaskRecord record, ToolTaskSpawned spec, OutputMatching matching) {
        this.workers = workers;
        this.record = record;
        this.spec = spec;
        this.matching = matching;
    }

    /** Records watchers of the spawn, after those that are recorded already; completes when they are accepted. */
    public Future<?> begin(List<WatchSpec> requested, Actor actor) {
        var added = new ArrayList<TaskWatcherAdded>();
        for (WatchSpec each : requested) {
            added.add(WatchGroup.added("w" + (specs.size() + added.size() + 1), each, actor));
        }
        restore(added, Set.of());
        Future<?> recorded = Future.succeededFuture();
        for (TaskWatcherAdded each : added) {
            recorded = record.write(each);
        }
        return recorded;
    }

    /**
     * Continues with recorded watchers, for the output to come.
     *
     * @param finished the ids of those that have found their only match
     */
    public void restore(List<TaskWatcherAdded> recorded, Set<String> finished) {
        recorded.forEach(each -> specs.add(WatchGroup.spec(each)));
        List<TaskWatcherAdded> searching = recorded.stream()
                .filter(each -> !finished.contains(each.watcherId()))
                .toList();
        if (!searching.isEmpty()) {
            matching.add(new WatchGroup(searching));
        }
    }

    /**
     * Adds a watcher of the output from now on, and of that from {@code fromSeq} on if given. Completes with the seq of the frame that
     * records it.
     */
    public Future<Long> add(WatchSpec added, @Nullable Long fromSeq, Actor actor) {
        Future<Long> recorded = adding.transform(before -> check(added))
                .map(checked -> {
                    refuseIfOver();
                    return checked;
                })
                .compose(checked -> record(added, fromSeq, actor));
        adding = recorded;
        return recorded;
    }

    private Future<?> check(WatchSpec added) {
        refuseIfOver();
        var all = new ArrayList<>(specs);
        all.add(added);
        return workers.executeBlocking(
                        () -> WatchPlan.of(all, spec.executionMode().channels()), false)
                .recover(e -> Future.failedFuture(e instanceof Failure refused ? unnumbered(refused) : e));
    }

    /** The caller gave one watcher, not a list. */
    private static Failure unnumbered(Failure refused) {
        String message = String.valueOf(refused.getMessage());
        return new Failure(refused.code(), message.replaceFirst("^watch\\[\\d+](\\.|: )", ""), refused);
    }

    private void refuseIfOver() {
        if (matching.isOver() || record.reached().phase() == Phase.ENDED) {
            throw new TaskOver("The task " + record.stream().id() + " has ended; its output cannot be watched");
        }
        if (record.isCrowded()) {
            throw record.noRoom();
        }
    }

    private Future<Long> record(WatchSpec added, @Nullable Long fromSeq, Actor actor) {
        long nextSeq = record.reached().nextSeq();
        if (fromSeq != null && fromSeq > nextSeq) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST, "from_seq is " + fromSeq + ", and the next frame is " + nextSeq);
        }
        specs.add(added);
        TaskWatcherAdded frame = WatchGroup.added("w" + specs.size(), added, actor);
        Promise<Frame> recorded = Promise.promise();
        matching.add(frame.watcherId(), new WatchGroup(List.of(frame)), fromSeq, recorded.future());
        record.write(frame).onComplete(recorded);
        return recorded.future().map(Frame::seq);
    }
}
