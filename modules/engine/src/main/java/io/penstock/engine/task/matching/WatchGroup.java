package io.penstock.engine.task.matching;

import io.penstock.engine.watch.OutputWatcher;
import io.penstock.engine.watch.WatchHit;
import io.penstock.engine.watch.WatchPlan;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Watchers that were added together and match the same output. Used by one thread at a time. */
final class WatchGroup {

    /** Frames that an unfinished line may consist of and still have its match linked to exactly the right one. */
    private static final int FRAMES_KEPT = 4_096;

    private final List<TaskWatcherAdded> watchers;
    private final Map<Channel, NavigableMap<Long, Long>> seqByEnd = new EnumMap<>(Channel.class);
    private @Nullable OutputWatcher matcher;

    WatchGroup(List<TaskWatcherAdded> watchers) {
        this.watchers = List.copyOf(watchers);
    }

    List<WatchSpec> specs() {
        return watchers.stream().map(WatchGroup::spec).toList();
    }

    static WatchSpec spec(TaskWatcherAdded added) {
        Channel only = added.channel();
        Set<Channel> channels = only == null ? EnumSet.allOf(Channel.class) : EnumSet.of(only);
        return new WatchSpec(added.regex(), added.event(), channels, added.once(), added.scope());
    }

    static TaskWatcherAdded added(String watcherId, WatchSpec spec, Actor actor) {
        Channel only = spec.channels().size() == 1 ? spec.channels().iterator().next() : null;
        return new TaskWatcherAdded(watcherId, spec.regex(), spec.event(), only, spec.once(), spec.scope(), actor);
    }

    List<TaskWatcherHit> match(WatchStep.Output output) {
        OutputWatcher watcher = matcher();
        if (watcher.finished()) {
            return List.of();
        }
        NavigableMap<Long, Long> seqs = seqByEnd.computeIfAbsent(output.channel(), channel -> new TreeMap<>());
        seqs.put(output.offset() + output.length(), output.seq());
        List<TaskWatcherHit> hits =
                frames(watcher.feed(output.channel(), output.offset(), output.bytes(), output.from(), output.to()));
        // Later matches lie behind this place, or in the text that is kept.
        seqs.headMap(watcher.point(output.channel()).offset(), true).clear();
        while (seqs.size() > FRAMES_KEPT) {
            seqs.pollFirstEntry();
        }
        return hits;
    }

    List<TaskWatcherHit> flush(Channel channel) {
        return seqByEnd.containsKey(channel) ? frames(matcher().flush(channel)) : List.of();
    }

    List<TaskWatcherHit> end(Channel channel) {
        return seqByEnd.containsKey(channel) ? frames(matcher().end(channel)) : List.of();
    }

    /** Compiled on first use, which may take milliseconds. */
    private OutputWatcher matcher() {
        OutputWatcher known = matcher;
        if (known == null) {
            known = new OutputWatcher(WatchPlan.of(specs()));
            matcher = known;
        }
        return known;
    }

    private List<TaskWatcherHit> frames(List<WatchHit> hits) {
        var frames = new ArrayList<TaskWatcherHit>(hits.size());
        for (WatchHit hit : hits) {
            TaskWatcherAdded watcher = watchers.get(hit.watcher());
            frames.add(new TaskWatcherHit(
                    watcher.watcherId(),
                    watcher.event(),
                    hit.channel(),
                    hit.offset(),
                    hit.bytes(),
                    hit.text(),
                    completedBy(hit)));
        }
        return frames;
    }

    /** The frame with the last byte of the match; a later one if that frame is too long ago. */
    private long completedBy(WatchHit hit) {
        NavigableMap<Long, Long> seqs = seqByEnd.getOrDefault(hit.channel(), new TreeMap<>());
        Map.Entry<Long, Long> frame = seqs.ceilingEntry(hit.offset() + hit.bytes());
        return (frame == null ? seqs.lastEntry() : frame).getValue();
    }
}
