package io.penstock.engine.task.matching;

import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the hits that a dead server had not recorded: the last output of a task is recorded before it is matched. It is matched again, and
 * what the frames have already is left out. Used by one thread.
 */
public final class UnrecordedHits {

    /**
     * Output that may not have been matched when the server died: what may wait, while as much is being matched, and the last pieces that were
     * read of each channel.
     */
    private static final long UNSEARCHED_BYTES = 2 * (OutputMatching.WAITING_BYTES + 2L * Limits.DELTA_BYTES);

    /** The search ends after the time for which the end of a task waits for its last matches. */
    public static final long WITHIN_MS = OutputMatching.END_MS;

    /** Matching begins at least a longest line before it, so that no line seems to begin in its middle. */
    static final long WINDOW_BYTES = UNSEARCHED_BYTES + 2L * Limits.WATCH_LINE_BYTES;

    private final OutputMatching.Services services;
    private final RecordedTask task;
    private final ToolTaskSpawned spec;
    private final WatchGroup group;
    private final EarlierOutput output;
    private boolean ended;

    public UnrecordedHits(OutputMatching.Services services, StreamId stream, RecordedTask task) {
        this.services = services;
        this.task = task;
        this.spec = Objects.requireNonNull(task.state().spec(), "a watched task was accepted");
        Set<String> finished = task.finishedWatchers();
        // A match that is left out must not count as the only one.
        this.group = new WatchGroup(task.watchers().stream()
                .filter(each -> !finished.contains(each.watcherId()))
                .map(UnrecordedHits::repeated)
                .toList());
        this.output = new EarlierOutput(
                services.log(),
                services.artifacts(),
                services.workers(),
                stream,
                spec,
                new WatchStep.Join(group, task.unsearchedSeq(), task.state().nextSeq(), Future.succeededFuture()));
    }

    private static TaskWatcherAdded repeated(TaskWatcherAdded watcher) {
        return new TaskWatcherAdded(
                watcher.watcherId(),
                watcher.regex(),
                watcher.event(),
                watcher.channel(),
                false,
                watcher.scope(),
                watcher.actor());
    }

    public boolean isDone() {
        return ended;
    }

    /** Matches the next part, and completes with its new hits. May be repeated after a failure. */
    public Future<List<TaskWatcherHit>> next() {
        Future<List<TaskWatcherHit>> found = output.isDone() ? end() : output.next();
        return found.map(this::onlyNew);
    }

    private Future<List<TaskWatcherHit>> end() {
        return services.workers()
                .executeBlocking(
                        () -> {
                            var hits = new ArrayList<TaskWatcherHit>();
                            for (Channel channel : spec.executionMode().channels()) {
                                hits.addAll(group.end(channel));
                            }
                            return hits;
                        },
                        false)
                .map(hits -> {
                    ended = true;
                    return hits;
                });
    }

    private List<TaskWatcherHit> onlyNew(List<TaskWatcherHit> found) {
        var fresh = new ArrayList<TaskWatcherHit>();
        for (TaskWatcherHit hit : found) {
            long unsearchedFrom = task.state().output().total(hit.channel()) - UNSEARCHED_BYTES;
            if (hit.offset() >= unsearchedFrom
                    && task.isNew(hit)
                    && !task.finishedWatchers().contains(hit.watcherId())) {
                task.note(hit);
                fresh.add(hit);
            }
        }
        return fresh;
    }
}
