package io.penstock.server.ops;

import io.penstock.engine.log.Ledger;
import io.penstock.engine.log.LedgerHealth;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/**
 * {@code /healthz}: whether frames are accepted, with the figures behind it. {@code /readyz}: whether they also reach the
 * database, and there is room to keep output, so whether this server should be sent work.
 */
public final class HealthRoutes {

    private HealthRoutes() {}

    /** @param disk where everything is kept */
    public static void bind(ApiRoutes routes, Ledger ledger, DiskRoom disk, long startedAtNanos) {
        routes.bind(ApiOperation.HEALTH, request -> {
            LedgerHealth health = ledger.health();
            answer(request.response(), health.broken() == null, health, disk, startedAtNanos);
        });
        routes.bind(ApiOperation.READINESS, request -> {
            LedgerHealth health = ledger.health();
            answer(request.response(), health.isWell() && disk.isEnough(), health, disk, startedAtNanos);
        });
    }

    private static void answer(
            HttpServerResponse response, boolean well, LedgerHealth health, DiskRoom disk, long startedAtNanos) {
        response.setStatusCode(well ? 200 : 503)
                .putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .end(json(health, disk, startedAtNanos).encode());
    }

    private static JsonObject json(LedgerHealth health, DiskRoom disk, long startedAtNanos) {
        String status = health.broken() != null ? "broken" : health.isWell() && disk.isEnough() ? "ok" : "degraded";
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
