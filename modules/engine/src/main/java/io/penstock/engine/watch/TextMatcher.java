package io.penstock.engine.watch;

import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the matches of one channel's watchers of one scope. The result depends on the bytes and on where {@link #flush} was called, never
 * on how the bytes were cut into pieces: it searches at the end of a line, at a flush, and whenever a line or window has its largest size.
 *
 * <p>At that size, the newest {@link Limits#WATCH_WINDOW_BYTES} stay, with the character before them, and matches that begin in them are found
 * later. So a match of up to that length is always found whole.
 */
final class TextMatcher {

    private static final int INITIAL_BYTES = 8 * 1024;

    private final List<Outline> outlines;
    private final List<PatternSearch> searches;
    private final WatchProgress progress;
    private final int bits;
    private final boolean lines;
    private final int largest;
    private Prefilter prefilter;
    private int active;

    /** The unfinished line or the window is {@code [start, end)}; all of it has been through the prefilter. */
    private byte[] text = new byte[INITIAL_BYTES];

    private int start;
    private int end;

    /** The offset of {@code text[0]}. */
    private long base;

    /** Whether the text begins inside a line, with a character that only tells what comes before the next. */
    private boolean midLine;

    private int searchFrom;

    /** @param outlines of all watchers of the plan, by their indexes */
    TextMatcher(WatchScope scope, List<Outline> outlines, List<PatternSearch> searches, WatchProgress progress) {
        this.outlines = outlines;
        this.searches = searches;
        this.progress = progress;
        lines = scope == WatchScope.LINE;
        largest = lines ? Limits.WATCH_LINE_BYTES : Limits.WATCH_ROLL_BYTES;
        bits = searches.stream().mapToInt(PatternSearch::bit).reduce(0, (one, other) -> one | other);
        active = progress.unfinished(bits);
        prefilter = new Prefilter(outlines, active, lines);
    }

    /** Forgets the text so far. */
    void startAt(WatchPoint point) {
        start = 0;
        end = 0;
        base = point.offset();
        restart(0, 0, point.midLine());
    }

    WatchPoint point() {
        return new WatchPoint(base + start, midLine);
    }

    /** Whether a watcher needs the bytes; they need not be fed otherwise. */
    boolean active() {
        return active != 0;
    }

    void feed(byte[] bytes, int from, int to, List<WatchHit> hits) {
        int at = from;
        while (at < to) {
            makeRoom();
            int count = Math.min(to - at, text.length - end);
            System.arraycopy(bytes, at, text, end, count);
            int fresh = end;
            end += count;
            at += count;
            scan(fresh, hits);
        }
    }

    /** The array is two times as large as the text, so that moving the text to the front costs less than reading it. */
    private void makeRoom() {
        if (end == text.length) {
            System.arraycopy(text, start, text, 0, end - start);
            base += start;
            searchFrom -= start;
            end -= start;
            start = 0;
            if (end > text.length / 2) {
                text = Arrays.copyOf(text, 2 * text.length);
            }
        }
    }

    private void scan(int from, List<WatchHit> hits) {
        int at = from;
        while (at < end) {
            int limit = Math.min(end, start + largest);
            int stop = prefilter.scan(text, at, limit);
            int line = lastLineStart(at, stop);
            if (line > start) {
                beginText(line, line, false);
            }
            at = stop;
            if (stop < limit) {
                search(stop, prefilter.candidates(), Long.MAX_VALUE, hits);
                at = stop + 1;
                restart(at, at, false);
            } else if (stop == start + largest) {
                at = roll(stop, hits);
            }
        }
    }

    /** The start of the line in which the text up to {@code to} ends, if it begins after {@code from}; otherwise 0. */
    private int lastLineStart(int from, int to) {
        for (int i = to - 1; lines && i >= from; i--) {
            if (text[i] == '\n' || text[i] == '\r') {
                return i + 1;
            }
        }
        return 0;
    }

    /** Searches a text of the largest size, and keeps its end. Returns where to scan again. */
    private int roll(int to, List<WatchHit> hits) {
        int keep = Utf8.boundary(text, start, to - Limits.WATCH_WINDOW_BYTES);
        searchWhole(to, keep, hits);
        restart(Utf8.boundary(text, start, keep - 1), keep, true);
        return keep;
    }

    /** Searches up to the last whole character for matches that begin before a place. */
    private void searchWhole(int to, int before, List<WatchHit> hits) {
        int whole = Utf8.completeEnd(text, start, to);
        search(whole, whole < to ? active : prefilter.candidates(), base + before, hits);
    }

    /** The output pauses: searches the text so far, as if the line ended here. */
    void flush(List<WatchHit> hits) {
        if (end > start) {
            searchWhole(end, end, hits);
            int keep = Math.max(start, end - Limits.WATCH_WINDOW_BYTES);
            searchFrom = Math.max(searchFrom, Utf8.boundary(text, start, keep));
        }
    }

    /** No byte follows directly. */
    void end(List<WatchHit> hits) {
        search(end, prefilter.candidates(), Long.MAX_VALUE, hits);
    }

    private void search(int to, int candidates, long before, List<WatchHit> hits) {
        if ((candidates & active) == 0 || to <= start) {
            return;
        }
        boolean searchedBefore = searchFrom > start;
        int begin = searchedBefore ? Utf8.boundary(text, start, Math.min(searchFrom, to) - 1) : start;
        SearchedText searched = SearchedText.of(text, begin, to);
        int from = searchedBefore ? searched.charAtPlace(Math.min(searchFrom, to)) : midLine ? searched.after(0) : 0;
        int already = hits.size();
        for (PatternSearch search : searches) {
            if ((candidates & search.bit()) != 0) {
                search.search(searched, from, base, before, hits);
            }
        }
        hits.subList(already, hits.size()).sort(Comparator.comparingLong(WatchHit::offset));
    }

    private void beginText(int newStart, int newSearchFrom, boolean newMidLine) {
        start = newStart;
        searchFrom = newSearchFrom;
        midLine = newMidLine;
    }

    private void restart(int newStart, int newSearchFrom, boolean newMidLine) {
        beginText(newStart, newSearchFrom, newMidLine);
        int unfinished = progress.unfinished(bits);
        if (unfinished != active) {
            active = unfinished;
            prefilter = new Prefilter(outlines, active, lines);
        }
        prefilter.restart(!newMidLine);
    }
}
