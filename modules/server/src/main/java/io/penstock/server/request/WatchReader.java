package io.penstock.server.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Reads watchers. Their patterns are checked by the engine. */
final class WatchReader {

    static final List<String> FIELDS = List.of("regex", "event", "stream", "once", "scope");

    private WatchReader() {}

    /** The watchers of a spawn; none if the field is absent. */
    static List<WatchSpec> list(RequestFields body, String name) {
        JsonNode value = body.object().get(name);
        if (value == null || value.isNull()) {
            return List.of();
        }
        if (!value.isArray()) {
            throw RequestFields.wrong(
                    name + " must be a list of watchers, but is " + RequestFields.shown(value.toString()));
        }
        if (value.size() > Limits.WATCHERS) {
            throw RequestFields.wrong(name + "[" + Limits.WATCHERS + "]: a task has at most " + Limits.WATCHERS
                    + " watchers, not " + value.size());
        }
        var watchers = new ArrayList<WatchSpec>();
        for (JsonNode each : value) {
            String place = name + "[" + watchers.size() + "]";
            if (!(each instanceof ObjectNode object)) {
                throw RequestFields.wrong(place + " must be an object, but is " + RequestFields.shown(each.toString()));
            }
            var fields = new RequestFields(object, place + ".");
            fields.only(FIELDS, "");
            watchers.add(read(fields));
        }
        return watchers;
    }

    static WatchSpec read(RequestFields fields) {
        String stream = fields.textOrNull("stream");
        String scope = fields.textOrNull("scope");
        return new WatchSpec(
                fields.text("regex", Limits.TEXT_CHARS),
                fields.text("event", Limits.TEXT_CHARS),
                stream == null
                        ? EnumSet.allOf(Channel.class)
                        : EnumSet.of(Words.parse(Channel.class, Channel::wireName, fields.prefix() + "stream", stream)),
                fields.flagOrFalse("once"),
                scope == null
                        ? WatchScope.LINE
                        : Words.parse(WatchScope.class, WatchScope::wireName, fields.prefix() + "scope", scope));
    }
}
