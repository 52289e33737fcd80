package io.penstock.frames;

/**
 * A watcher's pattern matched the output of a task of this session: a mailbox item.
 *
 * @param taskSeq the frame of the task that records the match
 */
public record SessionWatcherHit(
        StreamId task,
        String watcherId,
        String event,
        Channel channel,
        long offset,
        String matched,
        long taskSeq,
        SessionProgress progress)
        implements SessionFrame {

    public SessionWatcherHit {
        SessionFrame.requireTask(task);
        watcherId = Checks.notBlank(watcherId, "watcher_id");
        event = Checks.notBlank(event, "event");
        Checks.notNegative(offset, "offset_bytes");
        matched = Checks.text(matched, "matched");
        Checks.notNegative(taskSeq, "task_seq");
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_WATCHER_HIT;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("task_id", task.id());
        json.text("watcher_id", watcherId);
        json.text("event", event);
        json.text("stream", channel.wireName());
        json.number("offset_bytes", offset);
        json.text("matched", matched);
        json.number("task_seq", taskSeq);
        progress.writeJson(json);
    }

    static SessionWatcherHit readJson(JsonFields fields) {
        return new SessionWatcherHit(
                StreamId.task(fields.text("task_id")),
                fields.text("watcher_id"),
                fields.text("event"),
                fields.oneOf("stream", Channel.class),
                fields.number("offset_bytes"),
                fields.text("matched"),
                fields.number("task_seq"),
                SessionProgress.readJson(fields));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(task.id());
        out.writeText(watcherId);
        out.writeText(event);
        out.writeConstant(channel);
        out.writeNumber(offset);
        out.writeText(matched);
        out.writeNumber(taskSeq);
        progress.writeStored(out);
    }

    static SessionWatcherHit readStored(ByteReader in) {
        return new SessionWatcherHit(
                StreamId.task(in.readText()),
                in.readText(),
                in.readText(),
                in.readConstant(Channel.class),
                in.readNumber(),
                in.readText(),
                in.readNumber(),
                SessionProgress.readStored(in));
    }
}
