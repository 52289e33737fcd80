package io.penstock.engine.watch;

import io.penstock.frames.Channel;

/**
 * A match of a watcher's pattern.
 *
 * @param watcher index of the watcher in its plan
 * @param offset offset of the match, counted from the channel's first byte
 * @param bytes length of the match
 * @param text the matched text with U+FFFD for invalid bytes, cut to {@link io.penstock.frames.Limits#WATCH_TEXT_CHARS}
 */
public record WatchHit(int watcher, Channel channel, long offset, int bytes, String text) {

    public WatchHit {
        if (offset < 0 || bytes < 1) {
            throw new IllegalArgumentException("A hit has bytes, not " + bytes + " at " + offset);
        }
    }
}
