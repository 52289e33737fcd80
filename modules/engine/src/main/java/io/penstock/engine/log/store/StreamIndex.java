package io.penstock.engine.log.store;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.StreamId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The streams in use. Streams without an entry are entirely in the database. Guarded by the log's lock. */
final class StreamIndex {

    private final Map<StreamId, StreamEntry> byName = new HashMap<>();
    private final Map<Long, StreamEntry> byNumber = new HashMap<>();

    /** Followers of streams without an entry; they move to the entry when there is one. */
    private final Map<StreamId, List<FrameFollower>> early = new HashMap<>();

    /**
     * The number of database lookups in progress, by stream. Entries of these streams stay until the answer has been
     * used, so that an answer is never older than an entry that was added and dropped meanwhile.
     */
    private final Map<StreamId, Integer> lookups = new HashMap<>();

    @Nullable
    StreamEntry get(StreamId stream) {
        return byName.get(stream);
    }

    @Nullable
    StreamEntry get(long streamNo) {
        return byNumber.get(streamNo);
    }

    int size() {
        return byName.size();
    }

    StreamEntry add(StreamEntry entry) {
        byName.put(entry.stream, entry);
        byNumber.put(entry.streamNo, entry);
        List<FrameFollower> followers = early.remove(entry.stream);
        if (followers != null) {
            followers.forEach(entry::add);
        }
        return entry;
    }

    Collection<StreamEntry> all() {
        return byName.values();
    }

    void dropIfIdle(StreamEntry entry) {
        if (!entry.isNeeded() && !lookups.containsKey(entry.stream)) {
            byName.remove(entry.stream);
            byNumber.remove(entry.streamNo);
        }
    }

    void lookupBegins(StreamId stream) {
        lookups.merge(stream, 1, Integer::sum);
    }

    void lookupEnds(StreamId stream) {
        lookups.computeIfPresent(stream, (_, count) -> count == 1 ? null : count - 1);
        StreamEntry entry = byName.get(stream);
        if (entry != null) {
            dropIfIdle(entry);
        }
    }

    void watch(StreamId stream, FrameFollower follower) {
        StreamEntry entry = byName.get(stream);
        if (entry == null) {
            early.computeIfAbsent(stream, _ -> new ArrayList<>()).add(follower);
        } else {
            entry.add(follower);
        }
    }

    void unwatch(StreamId stream, FrameFollower follower) {
        StreamEntry entry = byName.get(stream);
        if (entry != null) {
            entry.remove(follower);
            dropIfIdle(entry);
        }
        early.computeIfPresent(stream, (_, followers) -> {
            followers.remove(follower);
            return followers.isEmpty() ? null : followers;
        });
    }

    /** The numbers of the streams below this one that have or may get frames which the database does not have. */
    Set<Long> writtenBelow(long streamNo) {
        return byName.values().stream()
                .filter(entry -> entry.streamNo < streamNo && entry.isWritten())
                .map(entry -> entry.streamNo)
                .collect(Collectors.toSet());
    }

    /** Drops the entries below this number that only followers need, who look their streams up again. Returns all such followers. */
    List<FrameFollower> dropReadBelow(long streamNo) {
        List<StreamEntry> read = byName.values().stream()
                .filter(entry -> entry.streamNo < streamNo && !entry.isWritten() && !lookups.containsKey(entry.stream))
                .toList();
        for (StreamEntry entry : read) {
            byName.remove(entry.stream);
            byNumber.remove(entry.streamNo);
            for (FrameFollower follower : entry.followers) {
                watch(entry.stream, follower);
            }
        }
        return early.values().stream().flatMap(List::stream).toList();
    }

    List<FrameFollower> allFollowers() {
        var all = new ArrayList<FrameFollower>();
        byName.values().forEach(entry -> all.addAll(List.of(entry.followers)));
        Collection<List<FrameFollower>> others = early.values();
        others.forEach(all::addAll);
        return all;
    }
}
