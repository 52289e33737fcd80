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
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;

/** The REST edge as a whole: how it listens, who is let in, and what there is. */
public final class HttpEdge {

    private HttpEdge() {}

    /** To be called before anything else is added to the router, so that the guard stands before all of it. */
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
     * @param actor who is recorded as having done what is asked for here
     * @param answerer who is recorded as having answered what policy asks
     * @param budget memory of large answers and bodies
     */
    public static void bind(
            ApiRoutes routes,
            TaskApi tasks,
            SessionApi sessions,
            Screens screens,
            ToolCatalog tools,
            IdempotencyKeys keys,
            Actor actor,
            Actor answerer,
            AnswerBudget budget) {
        TaskRoutes.bind(routes, tasks, keys, actor, budget);
        TaskReads.bind(routes, tasks, budget);
        SessionRoutes.bind(routes, sessions, keys, actor, budget);
        ByteRoutes.bind(routes, tasks, screens, actor);
        PolicyRoutes.bind(routes, tasks, keys, answerer, budget);
        ScreenRoutes.bind(routes, tasks, screens, budget);
        ToolRoutes.bind(routes, tools, keys, actor, budget);
    }

    /** HTTP/1.1 only: what HTTP/2 would add is of use through a proxy, which speaks HTTP/1.1 to us. */
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
     * The limits that are not options: how many connections, and what is said to what is no request.
     *
     * @param connections those of all servers that share the port
     */
    public static HttpServer limit(HttpServer server, Connections connections) {
        return server.invalidRequestHandler(ErrorAnswers::unreadable).connectionHandler(connections::opened);
    }
}
