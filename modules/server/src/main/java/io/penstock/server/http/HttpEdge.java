package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.session.SessionApi;
import io.penstock.frames.Actor;
import io.penstock.frames.FailureCode;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.api.PathSpelling;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.failure.ErrorAnswers;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.tools.ToolCatalog;
import io.penstock.server.webhook.Webhooks;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;

/** The REST edge: its options, its guard and its routes. */
public final class HttpEdge {

    private HttpEdge() {}

    /** Adds the guard; call it before adding routes, so that the guard sees every request. */
    public static void protect(Router router, Guard guard, Connections connections) {
        ErrorAnswers.add(router);
        router.route().handler(new PathSpelling());
        router.route().handler(guard);
        router.route().handler(request -> {
            if (guard.isAuthenticated(request)
                    && !connections.signIn(request.request().connection())) {
                request.response().putHeader("connection", "close");
                throw new HttpFailure(503, FailureCode.QUOTA_EXCEEDED, connections.full());
            }
            request.next();
        });
    }

    /**
     * @param changes notes which tasks change
     * @param actor recorded as the author of commands
     * @param answerer recorded as the author of answers to policy's questions
     * @param budget the memory of large answers and bodies
     */
    public static void bind(
            ApiRoutes routes,
            TaskApi tasks,
            ChangedTasks changes,
            SessionApi sessions,
            Webhooks webhooks,
            Screens screens,
            ToolCatalog tools,
            IdempotencyKeys keys,
            Actor actor,
            Actor answerer,
            AnswerBudget budget) {
        TaskRoutes.bind(routes, tasks, keys, actor, budget);
        TaskReads.bind(routes, tasks, budget);
        TaskListRoutes.bind(routes, tasks, changes, budget);
        SessionRoutes.bind(routes, sessions, tasks, keys, actor, budget);
        WebhookRoutes.bind(routes, webhooks, actor, budget);
        ByteRoutes.bind(routes, tasks, screens, actor);
        PolicyRoutes.bind(routes, tasks, keys, answerer, budget);
        WatcherRoutes.bind(routes, tasks, keys, actor, budget);
        UsageRoutes.bind(routes, tasks, budget);
        ScreenRoutes.bind(routes, tasks, screens, budget);
        ToolRoutes.bind(routes, tools, keys, actor, budget);
    }

    /** HTTP/1.1 only: proxies that offer HTTP/2 speak HTTP/1.1 to their backends. */
    public static HttpServerOptions options(String host, int port) {
        return new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(true)
                .setMaxInitialLineLength(HttpLimits.FIRST_LINE_BYTES)
                .setMaxHeaderSize(HttpLimits.HEADER_BYTES)
                .setIdleTimeout(HttpLimits.IDLE_SECONDS);
    }

    /**
     * The limits that are no options: the number of connections, and the answer to bytes that are no request.
     *
     * @param connections the connections of all servers that share the port
     */
    public static HttpServer limit(HttpServer server, Connections connections) {
        return server.invalidRequestHandler(ErrorAnswers::unreadable).connectionHandler(connections::opened);
    }
}
