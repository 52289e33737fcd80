package io.penstock.engine.session;

import io.penstock.frames.Limits;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.StreamId;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Matches of watchers that wait to be recorded as one mailbox item for each watcher, so that a watcher whose matches nobody reads fills
 * no disk. They are in memory only: a task whose end is not recorded in the session yet has them in its own stream. Lives on its session's
 * context.
 */
final class MergedHits {

    private record Watcher(StreamId task, String id) {}

    /** By watcher, the one with the oldest first match first. */
    private final LinkedHashMap<Watcher, SessionWatcherHit> open = new LinkedHashMap<>();

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Takes a match, if matches are merged at this length of the mailbox; otherwise it is to be recorded now. */
    boolean take(SessionWatcherHit hit, SessionProgress now) {
        var watcher = new Watcher(hit.task(), hit.watcherId());
        SessionWatcherHit merged = open.get(watcher);
        if (merged == null
                && (now.unread() < Limits.MAILBOX_MERGE_FROM || open.size() == Limits.MAILBOX_MERGED_WATCHERS)) {
            return false;
        }
        open.put(watcher, merged == null ? hit : joined(merged, hit));
        return true;
    }

    private static SessionWatcherHit joined(SessionWatcherHit first, SessionWatcherHit next) {
        // A match that is sent again is in the item already.
        return next.taskSeq() <= first.lastTaskSeq()
                ? first
                : copy(first, first.count() + 1, next.taskSeq(), first.progress());
    }

    private static SessionWatcherHit copy(
            SessionWatcherHit hit, long count, long lastTaskSeq, SessionProgress progress) {
        return new SessionWatcherHit(
                hit.task(),
                hit.watcherId(),
                hit.event(),
                hit.channel(),
                hit.offset(),
                hit.matched(),
                hit.taskSeq(),
                count,
                lastTaskSeq,
                progress);
    }

    /** The oldest item, as it is to be recorded after the session's progress so far; null if there is none. */
    @Nullable
    SessionWatcherHit first(SessionProgress before) {
        var first = open.firstEntry();
        return first == null
                ? null
                : copy(
                        first.getValue(),
                        first.getValue().count(),
                        first.getValue().lastTaskSeq(),
                        before.withItem());
    }

    /** The oldest item was recorded. */
    void removeFirst() {
        open.pollFirstEntry();
    }

    /** How long matches are merged before they are recorded. */
    static long mergeMs(SessionProgress now) {
        long doublings = Math.clamp(now.unread() / Limits.MAILBOX_MERGE_FROM - 1, 0, 30);
        return Math.min(Limits.MAILBOX_MERGE_MOST_MS, Limits.MAILBOX_MERGE_MS << doublings);
    }
}
