package io.penstock.engine.watch;

import io.penstock.frames.Channel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the matches of a task's watchers in its output, each once by its offset. The caller feeds the bytes of each channel in order, in any
 * pieces; calls {@link #flush} when the output pauses, because a prompt has no line end; and {@link #end} after the last byte. Matches depend
 * on the bytes and on the places of flushes only.
 *
 * <ul>
 *   <li>A line is searched when it ends and at a flush. At a flush, {@code $} matches at the last byte so far, and a match may be shorter
 *       than it would be with the bytes that follow; when it grows, it is not reported again.
 *   <li>A match of at most {@link io.penstock.frames.Limits#WATCH_WINDOW_BYTES} is found in any line and window. A longer one may be missed
 *       or shortened in a line longer than {@link io.penstock.frames.Limits#WATCH_LINE_BYTES}, in a window, and where a flush divides it. In
 *       such a line, {@code $} may match in its middle, as the end of such a long match.
 *   <li>Matches of one watcher do not overlap, as usual when all matches of a pattern are searched for.
 * </ul>
 *
 * <p>Not thread-safe; cheap while it finds nothing, and at worst linear in the bytes. Memory is bounded: up to 130 KiB of text and a table of
 * {@link io.penstock.frames.Limits#WATCH_TABLE_ENTRIES}, for each channel and each scope that has watchers.
 */
public final class OutputWatcher {

    private final WatchPlan plan;
    private final WatchProgress progress;
    private final Map<Channel, ChannelMatcher> channels = new EnumMap<>(Channel.class);

    public OutputWatcher(WatchPlan plan) {
        this.plan = plan;
        progress = new WatchProgress(plan);
    }

    /**
     * Matches the next bytes of a channel. If their offset is not the end of the bytes before, some are missing: the text before them ends,
     * and these bytes begin a line.
     */
    public List<WatchHit> feed(Channel channel, long offset, byte[] bytes, int from, int to) {
        return matcher(channel).feed(offset, bytes, from, to);
    }

    /** The output pauses: reports the matches in the text so far. */
    public List<WatchHit> flush(Channel channel) {
        return matcher(channel).flush();
    }

    /** The channel has ended: reports the matches in its last text. */
    public List<WatchHit> end(Channel channel) {
        return matcher(channel).end();
    }

    /** Whether all watchers have had their only hit, so that no further output is needed. */
    public boolean finished() {
        return progress.finished();
    }

    /** Ends a watcher: it reports nothing more. */
    public void finish(int watcher) {
        progress.finish(watcher);
    }

    /**
     * Suppresses a watcher's matches that begin before this offset: after a restart the end of its last hit, of a new watcher the place from
     * which it watches.
     */
    public void skipBefore(Channel channel, int watcher, long offset) {
        matcher(channel).search(watcher).skipBefore(offset);
    }

    /** Up to which offset a watcher's matches have been reported, for {@link #skipBefore} of another instance. */
    public long reportedUpTo(Channel channel, int watcher) {
        return matcher(channel).search(watcher).reportedUpTo();
    }

    /** The place from which another instance must be fed in order to continue here. */
    public WatchPoint point(Channel channel) {
        return matcher(channel).point();
    }

    /** Continues at a place; the next bytes to feed are those at its offset. */
    public void startAt(Channel channel, WatchPoint point) {
        matcher(channel).startAt(point);
    }

    /**
     * Bytes in which a watcher's further matches were not searched for, because its pattern reads the same text again for each match, which
     * is quadratic. Usually 0.
     */
    public long unsearchedBytes(int watcher) {
        return progress.unsearched(watcher);
    }

    private ChannelMatcher matcher(Channel channel) {
        return channels.computeIfAbsent(channel, wanted -> new ChannelMatcher(plan, progress, wanted));
    }
}
