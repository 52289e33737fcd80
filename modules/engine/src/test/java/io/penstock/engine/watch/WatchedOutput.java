package io.penstock.engine.watch;

import io.penstock.frames.Channel;
import io.penstock.frames.WatchScope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Output of one channel as a watcher is fed with it, and its hits. */
final class WatchedOutput {

    final OutputWatcher watcher;
    private final List<WatchHit> hits = new ArrayList<>();
    private final Channel channel;
    private long offset;

    WatchedOutput(OutputWatcher watcher, Channel channel) {
        this.watcher = watcher;
        this.channel = channel;
    }

    /** Watches all lines of a channel for these patterns. */
    static WatchedOutput lines(String... patterns) {
        return of(WatchScope.LINE, patterns);
    }

    static WatchedOutput windows(String... patterns) {
        return of(WatchScope.WINDOW, patterns);
    }

    private static WatchedOutput of(WatchScope scope, String... patterns) {
        List<WatchSpec> specs = Arrays.stream(patterns)
                .map(pattern -> new WatchSpec(pattern, "found", Set.of(Channel.PTY), false, scope))
                .toList();
        return new WatchedOutput(new OutputWatcher(WatchPlan.of(specs)), Channel.PTY);
    }

    WatchedOutput feed(String text) {
        return feed(text.getBytes(StandardCharsets.UTF_8));
    }

    WatchedOutput feed(byte[] bytes) {
        hits.addAll(watcher.feed(channel, offset, bytes, 0, bytes.length));
        offset += bytes.length;
        return this;
    }

    /** Feeds in random pieces; some are empty and many are short. */
    WatchedOutput feedInPieces(byte[] bytes, Random random) {
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, random.nextInt(1 << random.nextInt(18)));
            hits.addAll(watcher.feed(channel, offset, bytes, at, at + count));
            at += count;
            offset += count;
        }
        return this;
    }

    WatchedOutput skip(int bytes) {
        offset += bytes;
        return this;
    }

    WatchedOutput flush() {
        hits.addAll(watcher.flush(channel));
        return this;
    }

    WatchedOutput end() {
        hits.addAll(watcher.end(channel));
        return this;
    }

    long offset() {
        return offset;
    }

    /** All hits so far, those of each watcher in their order. */
    List<WatchHit> hits() {
        hits.sort(Comparator.comparingInt(WatchHit::watcher));
        return Collections.unmodifiableList(hits);
    }

    /** The hits as "offset+bytes text". */
    List<String> found() {
        return hits().stream()
                .map(hit -> hit.offset() + "+" + hit.bytes() + " " + hit.text())
                .toList();
    }

    List<String> texts() {
        return hits().stream().map(WatchHit::text).toList();
    }
}
