package io.penstock.frames;

/**
 * A watcher's pattern matched the output of a task of this session: a mailbox item. Where many items wait, it stands for all matches of
 * this watcher in a range of the task's frames, of which it shows the first.
 *
 * @param taskSeq the frame of the task that records the match, the first of several
 * @param count the number of matches
 * @param lastTaskSeq the frame of the task that records the last of them
 */
public record SessionWatcherHit(
        StreamId task,
        String watcherId,
        String event,
        Channel channel,
        long offset,
        String matched,
        long taskSeq,
        long count,
        long lastTaskSeq,
        SessionProgress progress)
        implements SessionFrame {

    public SessionWatcherHit {
        SessionFrame.requireTask(task);
        watcherId = Checks.notBlank(watcherId, "watcher_id");
        event = Checks.notBlank(event, "event");
        Checks.notNegative(offset, "offset_bytes");
        matched = Checks.text(matched, "matched");
        Checks.notNegative(taskSeq, "task_seq");
        Checks.atLeastOne(count, "count");
        Checks.notNegative(count, "count");
        Checks.notNegative(lastTaskSeq, "last_task_seq");
        // Each match has a frame of its own.
        if (lastTaskSeq - taskSeq < count - 1 || (count == 1 && lastTaskSeq != taskSeq)) {
            throw new IllegalArgumentException(
                    count + " matches cannot be in the frames " + taskSeq + " to " + lastTaskSeq);
        }
    }

    /** A single match. */
    public SessionWatcherHit(
            StreamId task,
            String watcherId,
            String event,
            Channel channel,
            long offset,
            String matched,
            long taskSeq,
            SessionProgress progress) {
        this(task, watcherId, event, channel, offset, matched, taskSeq, 1, taskSeq, progress);
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
        if (count > 1) {
            json.number("count", count);
            json.number("last_task_seq", lastTaskSeq);
        }
        progress.writeJson(json);
    }

    static SessionWatcherHit readJson(JsonFields fields) {
        Long count = fields.numberOrNull("count");
        Long last = fields.numberOrNull("last_task_seq");
        return new SessionWatcherHit(
                StreamId.task(fields.text("task_id")),
                fields.text("watcher_id"),
                fields.text("event"),
                fields.oneOf("stream", Channel.class),
                fields.number("offset_bytes"),
                fields.text("matched"),
                fields.number("task_seq"),
                count == null ? 1 : count,
                last == null ? fields.number("task_seq") : last,
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
        progress.writeCounters(out);
        if (count > 1 || progress.webhook() != null) {
            out.writeNumber(count - 1);
            out.writeNumber(lastTaskSeq - taskSeq);
        }
        progress.writeMore(out);
    }

    static SessionWatcherHit readStored(ByteReader in) {
        StreamId task = StreamId.task(in.readText());
        String watcherId = in.readText();
        String event = in.readText();
        Channel channel = in.readConstant(Channel.class);
        long offset = in.readNumber();
        String matched = in.readText();
        long taskSeq = in.readNumber();
        SessionProgress progress = SessionProgress.readCounters(in);
        boolean more = in.hasMore();
        return new SessionWatcherHit(
                task,
                watcherId,
                event,
                channel,
                offset,
                matched,
                taskSeq,
                1 + (more ? in.readNumber() : 0),
                taskSeq + (more ? in.readNumber() : 0),
                progress.readMore(in));
    }
}
