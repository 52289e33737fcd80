package io.penstock.server.request;

import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.SessionPage;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionWatcherHit;
import io.penstock.frames.ToolEnded;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Sessions as JSON, the same for every edge. */
public final class SessionJson {

    private SessionJson() {}

    public static JsonObject status(SessionState state) {
        SessionProgress progress = state.progress();
        return new JsonObject()
                .put("session_id", state.sessionId())
                .put("status", state.ended() ? "ended" : "open")
                .put("tasks_started", progress.tasksStarted())
                .put("tasks_ended", progress.tasksEnded())
                .put("mailbox_items", progress.items())
                .put("mailbox_waiting", progress.waiting())
                .put("mailbox_from_seq", progress.mailboxFrom())
                .put("next_seq", state.nextSeq());
    }

    public static JsonArray list(SessionPage page) {
        var sessions = new JsonArray();
        for (SessionPage.Entry session : page.sessions()) {
            sessions.add(status(session.state())
                    .put("started_at_ms", session.startedAtMs())
                    .put("last_at_ms", session.lastAtMs()));
        }
        return sessions;
    }

    /** @param state from after the items were read */
    public static JsonObject mailbox(SessionState state, Mailbox.Items found) {
        var items = new JsonArray();
        found.items().forEach(item -> items.add(item(item)));
        return new JsonObject()
                .put("session_id", state.sessionId())
                .put("items", items)
                .put("next_seq", found.nextSeq())
                .put("waiting", state.progress().waiting());
    }

    /** A frame with the key by which a reader recognizes an item that it has seen. */
    public static JsonObject item(Frame frame) {
        JsonObject item = new JsonObject(FrameJson.toText(frame));
        String key = switch (frame.body()) {
            case ToolEnded end -> end.task().id() + "/" + end.taskSeq();
            case SessionWatcherHit hit -> hit.task().id() + "/" + hit.taskSeq();
            default -> throw new IllegalArgumentException(frame.typeName() + " is no mailbox item");
        };
        return item.put("key", key);
    }
}
