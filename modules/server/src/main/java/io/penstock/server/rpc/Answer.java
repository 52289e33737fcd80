package io.penstock.server.rpc;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request, and its place among the events of the connection that gets it: after those of a frame and all earlier ones, and
 * before those of later frames.
 *
 * @param member {@code result} or {@code error}
 * @param taskId the task that the frame belongs to; null if the answer has no place
 */
record Answer(String member, JsonObject content, @Nullable String taskId, long seq) {

    static Answer result(JsonObject result) {
        return new Answer("result", result, null, 0);
    }

    static Answer error(RpcRefusal refusal) {
        return new Answer("error", refusal.json(), null, 0);
    }

    /** The same answer, right after this frame. */
    Answer after(String task, long frameSeq) {
        return new Answer(member, content, task, frameSeq);
    }

    JsonObject stored() {
        return new JsonObject()
                .put("member", member)
                .put("content", content)
                .put("task", taskId)
                .put("seq", seq);
    }

    static Answer ofStored(JsonObject stored) {
        return new Answer(
                stored.getString("member"),
                stored.getJsonObject("content"),
                stored.getString("task"),
                stored.getLong("seq"));
    }
}
