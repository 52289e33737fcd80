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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("watcher_id", watcherId);
        json.text("event", event);
        json.text("stream", channel.wireName());
        json.number("offset_bytes", offset);
        json.number("bytes", bytes);
        json.text("matched", matched);
        json.number("frame_seq", frameSeq);
    }

    static TaskWatcherHit readJson(JsonFields fields) {
        return new TaskWatcherHit(
                fields.text("watcher_id"),
                fields.text("event"),
                fields.oneOf("stream", Channel.class),
                fields.number("offset_bytes"),
                fields.smallNumber("bytes"),
                fields.text("matched"),
                fields.number("frame_seq"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(watcherId);
        out.writeText(event);
        out.writeConstant(channel);
        out.writeNumber(offset);
        out.writeNumber(bytes);
        out.writeText(matched);
        out.writeNumber(frameSeq);
    }

    static TaskWatcherHit readStored(ByteReader in) {
        return new TaskWatcherHit(
                in.readText(),
                in.readText(),
                in.readConstant(Channel.class),
                in.readNumber(),
                in.readSmallNumber(),
                in.readText(),
                in.readNumber());
    }
}
