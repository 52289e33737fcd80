package io.penstock.engine.watch;

import com.google.re2j.Matcher;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import java.util.List;

/**
 * The search for one watcher's matches in one channel. Each match is reported once: one that begins before the end of what was reported
 * counts as the same match, which has grown.
 */
final class PatternSearch {

    /**
     * A search reads each character about twice, and at most as often as the pattern's literal start has characters. Many times more reads
     * mean that the search for all matches is quadratic in the length of the text.
     */
    private static final int READS_PER_CHARACTER = 16;

    private final WatchPlan.Watch watch;
    private final WatchProgress progress;
    private final Channel channel;
    private final Matcher matcher;
    private long reportedUpTo;

    PatternSearch(WatchPlan.Watch watch, WatchProgress progress, Channel channel) {
        this.watch = watch;
        this.progress = progress;
        this.channel = channel;
        matcher = watch.pattern().matcher("");
    }

    int bit() {
        return 1 << watch.index();
    }

    boolean finished() {
        return progress.finished(watch.index());
    }

    long reportedUpTo() {
        return reportedUpTo;
    }

    void skipBefore(long offset) {
        reportedUpTo = Math.max(reportedUpTo, offset);
    }

    /**
     * Adds the matches that begin at or after this character, and before this offset.
     *
     * @param base the offset of the text's first byte, added to a place in the text
     */
    void search(SearchedText text, int from, long base, long before, List<WatchHit> hits) {
        long mostReads =
                text.reads() + (READS_PER_CHARACTER + watch.spec().regex().length()) * (text.length() + 1L);
        matcher.reset(text);
        boolean found = !finished() && matcher.find(from);
        while (found) {
            long start = base + text.placeOf(matcher.start());
            long end = base + text.placeOf(matcher.end());
            if (start >= before) {
                break;
            }
            boolean reported = start < reportedUpTo;
            reportedUpTo = Math.max(reportedUpTo, end);
            if (!reported) {
                String matched = text.text(matcher.start(), matcher.end(), Limits.WATCH_TEXT_CHARS);
                hits.add(new WatchHit(watch.index(), channel, start, (int) (end - start), matched));
                progress.hit(watch);
            }
            if (text.reads() > mostReads) {
                progress.unsearched(watch.index(), base + text.placeOf(text.length()) - end);
                break;
            }
            found = !finished() && matcher.find();
        }
        matcher.reset("");
    }
}
