package io.penstock.engine.watch;

import io.penstock.frames.Channel;
import io.penstock.frames.WatchScope;
import java.util.ArrayList;
import java.util.List;

/** Finds the matches in one channel of a task. */
final class ChannelMatcher {

    private final List<PatternSearch> searches = new ArrayList<>();
    private final List<TextMatcher> texts = new ArrayList<>();
    private long expected;

    ChannelMatcher(WatchPlan plan, WatchProgress progress, Channel channel) {
        for (WatchPlan.Watch watch : plan.watches()) {
            searches.add(new PatternSearch(watch, progress, channel));
        }
        List<Outline> outlines =
                plan.watches().stream().map(WatchPlan.Watch::outline).toList();
        for (WatchScope scope : WatchScope.values()) {
            List<PatternSearch> ofScope = plan.watches().stream()
                    .filter(watch -> watch.spec().scope() == scope)
                    .filter(watch -> watch.spec().channels().contains(channel))
                    .map(watch -> searches.get(watch.index()))
                    .toList();
            if (!ofScope.isEmpty()) {
                texts.add(new TextMatcher(scope, outlines, ofScope, progress));
            }
        }
    }

    void startAt(WatchPoint point) {
        expected = point.offset();
        texts.forEach(text -> text.startAt(point));
    }

    WatchPoint point() {
        var point = new WatchPoint(expected, false);
        for (TextMatcher text : texts) {
            point = text.active() ? text.point().earlier(point) : point;
        }
        return point;
    }

    PatternSearch search(int watcher) {
        return searches.get(watcher);
    }

    List<WatchHit> feed(long offset, byte[] bytes, int from, int to) {
        List<WatchHit> hits = new ArrayList<>();
        if (offset != expected) {
            texts.forEach(text -> text.end(hits));
            startAt(new WatchPoint(offset, false));
        }
        expected += to - from;
        for (TextMatcher text : texts) {
            if (text.active()) {
                text.feed(bytes, from, to, hits);
            }
        }
        return hits;
    }

    List<WatchHit> flush() {
        List<WatchHit> hits = new ArrayList<>();
        texts.forEach(text -> text.flush(hits));
        return hits;
    }

    List<WatchHit> end() {
        List<WatchHit> hits = new ArrayList<>();
        texts.forEach(text -> text.end(hits));
        startAt(new WatchPoint(expected, false));
        return hits;
    }
}
