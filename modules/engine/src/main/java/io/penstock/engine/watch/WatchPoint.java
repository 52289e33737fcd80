package io.penstock.engine.watch;

/**
 * Where matching can start.
 *
 * @param offset offset of the first byte needed, counted from the channel's first byte
 * @param midLine whether that byte begins the character before the text to search, so that {@code ^} does not match there
 */
public record WatchPoint(long offset, boolean midLine) {

    public static final WatchPoint START = new WatchPoint(0, false);

    WatchPoint earlier(WatchPoint other) {
        return other.offset < offset ? other : this;
    }
}
