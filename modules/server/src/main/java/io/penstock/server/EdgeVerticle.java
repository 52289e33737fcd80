package io.penstock.server;

import io.penstock.engine.Engine;
import io.penstock.server.api.ApiDocument;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.guard.SignInRoutes;
import io.penstock.server.http.ChangedTasks;
import io.penstock.server.http.HttpEdge;
import io.penstock.server.ops.FreeDisk;
import io.penstock.server.ops.Gauges;
import io.penstock.server.ops.HealthRoutes;
import io.penstock.server.ops.RetentionRoutes;
import io.penstock.server.ops.WebClientRoutes;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.penstock.server.tools.shell.ServerTools;
import io.penstock.server.webhook.Webhooks;
import io.penstock.server.ws.AttachRoutes;
import io.penstock.server.ws.AttachedViewers;
import io.penstock.server.ws.MailboxRoutes;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All edges on one event loop. Several verticles share the port, and connections are distributed among them. */
final class EdgeVerticle extends VerticleBase {

    /** Time for answers that are still being sent after everything else has stopped. */
    private static final int DRAIN_SECONDS = 5;

    private final HttpServerOptions options;
    private final Engine engine;
    private final ChangedTasks changes;
    private final Webhooks webhooks;
    private final Guard guard;
    private final Gauges gauges;
    private final FreeDisk disk;
    private final AttachedViewers rooms;
    private final Connections connections;
    private final AnswerBudget budget;
    private final TaskToolSettings taskTools;
    private final long startedAtNanos;
    private @Nullable HttpServer http;

    /**
     * @param connections of all verticles that share the port
     * @param budget of all of them
     */
    EdgeVerticle(
            HttpServerOptions options,
            Engine engine,
            ChangedTasks changes,
            Webhooks webhooks,
            Guard guard,
            Gauges gauges,
            FreeDisk disk,
            AttachedViewers rooms,
            Connections connections,
            AnswerBudget budget,
            TaskToolSettings taskTools,
            long startedAtNanos) {
        this.options = options;
        this.engine = engine;
        this.changes = changes;
        this.webhooks = webhooks;
        this.guard = guard;
        this.gauges = gauges;
        this.disk = disk;
        this.rooms = rooms;
        this.connections = connections;
        this.budget = budget;
        this.taskTools = taskTools;
        this.startedAtNanos = startedAtNanos;
    }

    @Override
    public Future<?> start() {
        Router router = Router.router(vertx);
        gauges.count(router);
        HttpEdge.protect(router, guard, connections);
        var routes = new ApiRoutes(ApiDocument.read());
        HttpEdge.bind(
                routes,
                engine.tasks(),
                changes,
                engine.sessions(),
                webhooks,
                engine.screens(),
                ServerTools.of(vertx, engine.tasks(), engine.agents(), engine.sessions(), taskTools),
                engine.ledger().idempotency()::once,
                guard.actor(),
                guard.answerer(),
                budget);
        AttachRoutes.bind(routes, engine.tasks(), engine.screens(), rooms, guard.actor(), budget);
        MailboxRoutes.bind(routes, engine.sessions(), engine.tasks(), rooms, guard.actor());
        SignInRoutes.bind(routes, guard);
        HealthRoutes.bind(
                routes, engine.ledger()::health, engine::policy, disk, startedAtNanos, guard::isAuthenticated);
        gauges.bind(routes);
        RetentionRoutes.bind(routes, engine.janitor());
        routes.add(router, guard);
        WebClientRoutes.add(router);
        HttpServer server = HttpEdge.limit(vertx.createHttpServer(options), connections);
        http = server;
        return server.requestHandler(router).listen();
    }

    int port() {
        return Objects.requireNonNull(http).actualPort();
    }

    /**
     * Accepts no new connections and lets the answers in progress finish: an event stream ends when the log is closed.
     */
    Future<?> shutdown(Future<?> engineStopped) {
        HttpServer server = Objects.requireNonNull(http);
        Future<Void> finished = server.shutdown(1, TimeUnit.HOURS);
        engineStopped.onComplete(stopped -> changes.close());
        return engineStopped.transform(stopped -> finished.timeout(DRAIN_SECONDS, TimeUnit.SECONDS)
                .transform(done -> done.succeeded() ? finished : server.close()));
    }
}
