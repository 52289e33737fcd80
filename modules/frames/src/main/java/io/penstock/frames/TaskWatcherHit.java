package io.penstock.frames;

/**
 * A watcher's pattern matched the output.
 *
 * @param event the name that the watcher's owner chose
 * @param offset offset of the match, counted from the channel's very first byte; a match is recorded once per offset
 * @param matched the text, shortened to fit a line of a notification
 * @param frameSeq the frame that completed the match
 */
public record TaskWatcherHit(
        String watcherId, String event, Channel channel, long offset, int bytes, String matched, long frameSeq)
        implements TaskFrame {

    public TaskWatcherHit {
        watcherId = Checks.notBlank(watcherId, "watcher_id");
        event = Checks.notBlank(event, "event");
        Checks.notNegative(offset, "offset_bytes");
        Checks.notNegative(bytes, "bytes");
        matched = Checks.text(matched, "matched");
        Checks.notNegative(frameSeq, "frame_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_WATCHER_HIT;
    }
}
