package io.penstock.server.ws.wire;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Failure;
import io.penstock.server.request.ErrorBody;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The messages to viewers that are not frames: objects whose {@code type} no frame has. */
public final class ServerMessages {

    private ServerMessages() {}

    public static JsonObject attached(String taskId, String viewer, boolean controls, long fromSeq, long nextSeq) {
        return of("attach_ready")
                .put("task_id", taskId)
                .put("viewer", viewer)
                .put("rights", rights(controls))
                .put("from_seq", fromSeq)
                .put("next_seq", nextSeq);
    }

    /** All frames that existed when the viewer attached have been sent; what follows is live. */
    public static JsonObject caughtUp(long nextSeq) {
        return of("attach_caught_up").put("next_seq", nextSeq);
    }

    /** @param more whether the next object continues it */
    static JsonObject screen(RenderedScreen screen, byte[] ansi, boolean more) {
        return of("attach_screen")
                .put("seq", screen.seq())
                .put("rows", screen.rows())
                .put("cols", screen.cols())
                .put("whole", screen.whole())
                .put("ansi_b64", Base64.getEncoder().encodeToString(ansi))
                .put("more", more);
    }

    /** @param screen whether a screen replaces the output in between; otherwise all frames follow */
    public static JsonObject fellBehind(long from, long to, boolean screen) {
        return of("attach_fell_behind").put("from", from).put("to", to).put("follows", screen ? "screen" : "frames");
    }

    /** @param seq the frame that records the operation; null if no frame does */
    public static JsonObject done(long op, @Nullable Long seq) {
        return of("attach_done").put("op", op).put("seq", seq);
    }

    public static JsonObject refused(@Nullable Long op, Throwable why) {
        return of("attach_refused").put("op", op).put("error", ErrorBody.of(Failure.forCallers(why)));
    }

    /** @param leader the viewer whose size the terminal has, under the policy of that name; otherwise null */
    public static JsonObject viewers(JsonArray viewers, SizePolicy policy, @Nullable String leader) {
        return of("attach_viewers")
                .put("viewers", viewers)
                .put("size_policy", policy.wireName())
                .put("leader", leader);
    }

    public static String rights(boolean controls) {
        return controls ? "control" : "view";
    }

    private static JsonObject of(String type) {
        return new JsonObject().put("type", type);
    }
}
