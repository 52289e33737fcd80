package io.penstock.server.ops;

import io.penstock.engine.ledger.LedgerHealth;
import io.penstock.engine.log.journal.JournalState;
import io.penstock.engine.policy.PolicyStatus;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.request.AnswerHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /healthz}: whether frames are accepted, with the figures behind it. {@code /readyz}: whether they also reach
 * the database, and there is room for output, so whether to send work to this server.
 */
public final class HealthRoutes {

    private static final String WITHOUT_TOKEN = "the reason is in the server's log, and here for callers with a token";

    private HealthRoutes() {}

    /**
     * @param log the state of the log
     * @param policy the state of the rules
     * @param disk the disk of the data directory
     * @param known whether the caller has presented a valid credential; only such a caller sees reasons, which may
     * contain paths
     */
    public static void bind(
            ApiRoutes routes,
            Supplier<LedgerHealth> log,
            Supplier<PolicyStatus> policy,
            FreeDisk disk,
            long startedAtNanos,
            Predicate<RoutingContext> known) {
        routes.bind(ApiOperation.HEALTH, request -> {
            LedgerHealth health = log.get();
            answer(
                    request.response(),
                    health.broken() == null,
                    json(health, policy.get(), disk, startedAtNanos, known.test(request)));
        });
        routes.bind(ApiOperation.READINESS, request -> {
            LedgerHealth health = log.get();
            answer(
                    request.response(),
                    health.isWell() && disk.isEnough(),
                    json(health, policy.get(), disk, startedAtNanos, known.test(request)));
        });
    }

    private static void answer(HttpServerResponse response, boolean well, JsonObject body) {
        AnswerHeaders.json(response).setStatusCode(well ? 200 : 503).end(body.encode());
    }

    static JsonObject json(
            LedgerHealth health, PolicyStatus policy, FreeDisk disk, long startedAtNanos, boolean known) {
        String status = health.broken() != null
                ? "broken"
                : health.isWell() && disk.isEnough() && policy.broken() == null ? "ok" : "degraded";
        return new JsonObject()
                .put("status", status)
                .put("uptime_ms", (System.nanoTime() - startedAtNanos) / 1_000_000)
                .put("broken", reason(health.broken(), known))
                .put("database_away", reason(health.databaseAway(), known))
                .put(
                        "journal",
                        new JsonObject()
                                .put("state", state(health.journal(), known))
                                .put("segments", health.journalSegments())
                                .put("undrained_bytes", health.undrainedBytes())
                                .put("waiting_writes", health.waitingWrites()))
                .put(
                        "disk",
                        new JsonObject().put("free_bytes", disk.freeBytes()).put("needed_bytes", FreeDisk.NEEDED_BYTES))
                .put(
                        "policy",
                        // The log says which line of it is broken: this page can be read without a token.
                        new JsonObject().put("in_force", policy.inForce()).put("file_broken", policy.broken() != null))
                .put("streams_in_use", health.streamsInUse());
    }

    private static @Nullable String reason(@Nullable String reason, boolean known) {
        return reason == null || known ? reason : WITHOUT_TOKEN;
    }

    private static String state(JournalState state, boolean known) {
        return switch (state) {
            case JournalState.Open _ -> "open";
            case JournalState.Full full -> "full: " + reason(full.reason(), known);
            case JournalState.Failed failed -> "failed: " + reason(failed.reason(), known);
            case JournalState.Closed _ -> "closed";
        };
    }
}
