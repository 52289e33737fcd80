package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * From here on, matches of a pattern in the task's output are recorded.
 *
 * @param regex in RE2 syntax
 * @param event the name that its matches are recorded with
 * @param channel the output to watch; null for all outputs
 * @param once whether only the first match is recorded
 */
public record TaskWatcherAdded(
        String watcherId,
        String regex,
        String event,
        @Nullable Channel channel,
        boolean once,
        WatchScope scope,
        Actor actor)
        implements TaskFrame {

    public TaskWatcherAdded {
        watcherId = Checks.notBlank(watcherId, "watcher_id");
        regex = Checks.notBlank(regex, "regex");
        event = Checks.notBlank(event, "event");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_WATCHER_ADDED;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("watcher_id", watcherId);
        json.text("regex", regex);
        json.text("event", event);
        json.textOrNull("stream", channel == null ? null : channel.wireName());
        json.flag("once", once);
        json.text("scope", scope.wireName());
        json.actor("actor", actor);
    }

    static TaskWatcherAdded readJson(JsonFields fields) {
        return new TaskWatcherAdded(
                fields.text("watcher_id"),
                fields.text("regex"),
                fields.text("event"),
                fields.oneOfOrNull("stream", Channel.class),
                fields.flag("once"),
                fields.oneOf("scope", WatchScope.class),
                fields.actor("actor"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(watcherId);
        out.writeText(regex);
        out.writeText(event);
        out.writeConstantOrNull(channel);
        out.writeByte(once ? 1 : 0);
        out.writeConstant(scope);
        actor.writeStored(out);
    }

    static TaskWatcherAdded readStored(ByteReader in) {
        return new TaskWatcherAdded(
                in.readText(),
                in.readText(),
                in.readText(),
                in.readConstantOrNull(Channel.class),
                in.readByte() == 1,
                in.readConstant(WatchScope.class),
                Actor.readStored(in));
    }
}
