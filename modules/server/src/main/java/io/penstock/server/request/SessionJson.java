package io.penstock.server.request;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.MailboxItem;
import io.penstock.engine.session.SessionPage;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.SessionProgress;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

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

    /**
     * A page of a mailbox.
     *
     * @param state from after the items were read
     */
    public static JsonObject mailbox(SessionState state, JsonArray items, long nextSeq) {
        return new JsonObject()
                .put("session_id", state.sessionId())
                .put("items", items)
                .put("next_seq", nextSeq)
                .put("waiting", state.progress().waiting());
    }

    /** Items as JSON, one read after the other. */
    public static Future<JsonArray> items(TaskApi tasks, List<Frame> frames, boolean snippets) {
        var items = new JsonArray();
        return AsyncLoop.of(() -> items.size() == frames.size()
                        ? Future.succeededFuture(false)
                        : item(tasks, frames.get(items.size()), snippets).map(item -> {
                            items.add(item);
                            return true;
                        }))
                .map(done -> items);
    }

    /** A frame with the key by which a reader recognizes an item that it has seen, a sentence, and on request the end of the output. */
    public static Future<JsonObject> item(TaskApi tasks, Frame frame, boolean snippet) {
        var item = new MailboxItem(frame);
        JsonObject json =
                new JsonObject(FrameJson.toText(frame)).put("key", item.key()).put("text", item.text());
        return snippet
                ? tasks.snippet(item.taskId(), item.taskEndSeq())
                        .recover(e -> isGone(e) ? Future.succeededFuture() : Future.failedFuture(e))
                        .map(text -> json.put("snippet", text))
                : Future.succeededFuture(json);
    }

    private static boolean isGone(Throwable why) {
        return why instanceof Failure failure
                && switch (failure.code()) {
                    case TASK_NOT_FOUND, TASK_GONE, STREAM_NOT_FOUND, ARTIFACT_NOT_FOUND, ARTIFACT_GONE -> true;
                    default -> false;
                };
    }
}
