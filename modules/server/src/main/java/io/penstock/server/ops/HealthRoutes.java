package io.penstock.server.ops;

import io.penstock.engine.log.Ledger;
import io.penstock.engine.log.LedgerHealth;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.engine.policy.PolicyStanding;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.function.Supplier;

/**
 * {@code /healthz}: whether frames are accepted, with the figures behind it. {@code /readyz}: whether they also reach the
 * database, and there is room to keep output, so whether this server should be sent work.
 */
public final class HealthRoutes {

    private HealthRoutes() {}

    /**
     * @param policy how it stands with the rules
     * @param disk where everything is kept
     */
    public static void bind(
            ApiRoutes routes, Ledger ledger, Supplier<PolicyStanding> policy, DiskRoom disk, long startedAtNanos) {
        routes.bind(ApiOperation.HEALTH, request -> {
            LedgerHealth health = ledger.health();
            answer(request.response(), health.broken() == null, json(health, policy.get(), disk, startedAtNanos));
        });
        routes.bind(ApiOperation.READINESS, request -> {
            LedgerHealth health = ledger.health();
            answer(
                    request.response(),
                    health.isWell() && disk.isEnough(),
                    json(health, policy.get(), disk, startedAtNanos));
        });
    }

    private static void answer(HttpServerResponse response, boolean well, JsonObject body) {
        response.setStatusCode(well ? 200 : 503)
                .putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .end(body.encode());
    }

    private static JsonObject json(LedgerHealth health, PolicyStanding policy, DiskRoom disk, long startedAtNanos) {
        String status = health.broken() != null
                ? "broken"
                : health.isWell() && disk.isEnough() && policy.broken() == null ? "ok" : "degraded";
        return new JsonObject()
                .put("status", status)
                .put("uptime_ms", (System.nanoTime() - startedAtNanos) / 1_000_000)
                .put("broken", health.broken())
                .put("database_away", health.databaseAway())
                .put(
                        "journal",
                        new JsonObject()
                                .put("state", state(health.journal()))
                                .put("segments", health.journalSegments())
                                .put("undrained_bytes", health.undrainedBytes())
                                .put("waiting_writes", health.waitingWrites()))
                .put(
                        "disk",
                        new JsonObject().put("free_bytes", disk.freeBytes()).put("needed_bytes", DiskRoom.NEEDED_BYTES))
                .put(
                        "policy",
                        // Which line of it is broken, the log says: this page is read by those without a token too.
                        new JsonObject().put("in_force", policy.inForce()).put("file_broken", policy.broken() != null))
                .put("streams_in_use", health.streamsInUse());
    }

    private static String state(JournalState state) {
        return switch (state) {
            case JournalState.Open _ -> "open";
            case JournalState.Full full -> "full: " + full.reason();
            case JournalState.Failed failed -> "failed: " + failed.reason();
            case JournalState.Closed _ -> "closed";
        };
    }
}
