package io.penstock.server.ops;

import io.penstock.engine.log.retention.Removal;
import io.penstock.engine.retention.Janitor;
import io.penstock.engine.retention.JanitorStatus;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.request.AnswerHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** {@code /retention}: what is kept, and what was removed when and why. */
public final class RetentionRoutes {

    /** The newest removals: there is about one a day. */
    private static final int REMOVALS = 50;

    private RetentionRoutes() {}

    public static void bind(ApiRoutes routes, Janitor janitor) {
        routes.bind(
                ApiOperation.RETENTION,
                request -> janitor.newest(REMOVALS)
                        .onSuccess(removals -> AnswerHeaders.json(request.response())
                                .end(json(janitor.status(), removals).toBuffer()))
                        .onFailure(request::fail));
    }

    private static JsonObject json(JanitorStatus status, List<Removal> removals) {
        var newest = new JsonArray();
        removals.forEach(removal -> newest.add(json(removal)));
        long limit = status.limits().bytes();
        return new JsonObject()
                .put("keep_tasks_days", status.limits().keep().toDays())
                .put("keep_ledger_bytes", limit == Long.MAX_VALUE ? null : limit)
                .put("ledger_bytes", status.ledgerBytes())
                .put("checked_at_ms", status.ranAtMs())
                .put("failed", status.failed())
                .put("removals", newest);
    }

    private static JsonObject json(Removal removal) {
        return new JsonObject()
                .put("at_ms", removal.atMs())
                .put("reason", removal.reasonName())
                .put("before_ms", removal.beforeMs())
                .put("tasks", removal.tasks())
                .put("sessions", removal.sessions())
                .put("bytes", removal.bytes());
    }
}
