package io.penstock.server;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.log.LogSettings;
import io.penstock.server.api.ApiDocument;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.guard.AccessToken;
import io.penstock.server.guard.Guard;
import io.penstock.server.guard.TokenUnusable;
import io.penstock.server.http.HttpEdge;
import io.penstock.server.ops.HealthRoutes;
import io.penstock.server.ops.WebClientRoutes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole server: what is wired to what, started from the ground up and stopped the other way round. */
final class Server {

    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** Each step of the shutdown; Postgres has its own, shorter deadline. */
    private static final long STOP_STEP_SECONDS = 30;

    private final DataDirectory data;
    private final Vertx vertx;
    private final Engine engine;
    private final HttpServer http;
    private final String host;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(DataDirectory data, Vertx vertx, Engine engine, HttpServer http, String host) {
        this.data = data;
        this.vertx = vertx;
        this.engine = engine;
        this.http = http;
        this.host = host;
    }

    /** Returns when the server really is ready, or throws with nothing left behind. */
    static Server start(ServerSettings settings) throws Exception {
        // Asked first: what it refuses must not have touched anything.
        Guard alone = settings.auth() ? null : Guard.withoutToken(settings.host());
        DataDirectory data = DataDirectory.open(settings.data());
        Guard guard;
        try {
            guard = alone != null ? alone : Guard.withToken(settings.host(), AccessToken.keptIn(settings.tokenFile()));
        } catch (TokenUnusable e) {
            data.close();
            throw e;
        }
        // Programs' outputs are watched by the event loops themselves, which only the native transport can.
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try {
            var log = new LogSettings(data.path(), settings.cache(), settings.database(), settings.fsync());
            Future<Server> started = Engine.start(vertx, new EngineSettings(log, settings.workspace()))
                    .compose(engine -> listen(vertx, settings, engine, guard)
                            .map(http -> new Server(data, vertx, engine, http, settings.host()))
                            .recover(e -> engine.stop().transform(stopped -> Future.failedFuture(e))));
            return started.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            stop("Vert.x", vertx.close());
            data.close();
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Future<HttpServer> listen(Vertx vertx, ServerSettings settings, Engine engine, Guard guard) {
        Router router = Router.router(vertx);
        HttpEdge.protect(router, guard);
        var routes = new ApiRoutes(ApiDocument.read());
        HttpEdge.bind(routes, engine.tasks(), engine.ledger().idempotency()::once, guard.actor());
        HealthRoutes.bind(routes, engine.ledger(), System.nanoTime());
        routes.add(router);
        WebClientRoutes.add(router);
        return HttpEdge.limit(vertx.createHttpServer(HttpEdge.options(settings.host(), settings.port())))
                .requestHandler(router)
                .listen()
                .recover(e -> Future.failedFuture(cannotListen(settings, e)));
    }

    private static StartFailure cannotListen(ServerSettings settings, Throwable e) {
        String place = settings.host() + ", port " + settings.port();
        // Each transport has an exception of its own for this; the kernel's words are in all of them.
        boolean taken = String.valueOf(e.getMessage()).contains("in use");
        return taken
                ? new StartFailure(
                        "Another program listens on " + place + " already: stop it, or choose another with --port.", e)
                : new StartFailure(
                        "Penstock cannot listen on " + place + " (" + e.getMessage()
                                + "): give an address of this machine with --host and a free port with --port.",
                        e);
    }

    /** Where to reach it, as a link. */
    String address() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return "http://" + name + ":" + http.actualPort();
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Nothing new comes in, what runs is finished, what is kept is safe. Returns when all of it is done. */
    void stop() {
        stop("the HTTP server", http.shutdown(5, TimeUnit.SECONDS));
        stop("tasks and their log", engine.stop());
        stop("Vert.x", vertx.close());
        try {
            data.close();
        } catch (IOException e) {
            log.warn("The lock of the data directory was not released: {}", e.getMessage());
        }
        ended.countDown();
    }

    private static void stop(String what, Future<?> stopping) {
        try {
            stopping.toCompletionStage().toCompletableFuture().get(STOP_STEP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            log.warn("Stopping {} failed: {}", what, String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            log.warn("Stopping {} took longer than {} s and was given up", what, STOP_STEP_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
