package io.penstock.engine.host;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a command, and its place among the events of the host that gets it: after those of a frame and all earlier ones, and before
 * those of later frames.
 *
 * @param member {@code result} or {@code error}
 * @param taskId the task that the frame belongs to; null if the answer has no place
 */
public record HostAnswer(
        String member, JsonObject content, @Nullable String taskId, long seq) {

    public static HostAnswer result(JsonObject result) {
        return new HostAnswer("result", result, null, 0);
    }

    public static HostAnswer error(Throwable why) {
        return error(HostRefusal.of(why));
    }

    static HostAnswer error(HostRefusal refusal) {
        return new HostAnswer("error", refusal.json(), null, 0);
    }

    public boolean isResult() {
        return member.equals("result");
    }

    /** The same answer, right after this frame. */
    HostAnswer after(String task, long frameSeq) {
        return new HostAnswer(member, content, task, frameSeq);
    }

    /** As it is kept for repetitions of the command. */
    public JsonObject stored() {
        return new JsonObject()
                .put("member", member)
                .put("content", content)
                .put("task", taskId)
                .put("seq", seq);
    }

    public static HostAnswer ofStored(JsonObject stored) {
        return new HostAnswer(
                stored.getString("member"),
                stored.getJsonObject("content"),
                stored.getString("task"),
                stored.getLong("seq"));
    }
}
