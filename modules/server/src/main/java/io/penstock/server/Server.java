package io.penstock.server;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.log.LogSettings;
import io.penstock.engine.policy.PolicyStanding;
import io.penstock.frames.Containment;
import io.penstock.server.guard.AccessToken;
import io.penstock.server.guard.Guard;
import io.penstock.server.guard.TokenUnusable;
import io.penstock.server.http.HttpEdge;
import io.penstock.server.ops.DiskRoom;
import io.penstock.server.ops.Gauges;
import io.penstock.server.ws.AttachRoutes;
import io.penstock.server.ws.Rooms;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
    private final List<EdgeVerticle> edges;
    private final Gauges gauges;
    private final String host;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(
            DataDirectory data, Vertx vertx, Engine engine, List<EdgeVerticle> edges, Gauges gauges, String host) {
        this.data = data;
        this.vertx = vertx;
        this.engine = engine;
        this.edges = edges;
        this.gauges = gauges;
        this.host = host;
    }

    /** Returns when the server really is ready, or throws with nothing left behind. */
    static Server start(ServerSettings settings) throws Exception {
        // Asked first: what it refuses must not have touched anything.
        Guard alone = settings.auth() ? null : Guard.withoutToken(settings.host());
        DataDirectory data = DataDirectory.open(settings.data());
        Guard guard;
        try {
            guard = alone != null
                    ? alone
                    : Guard.withTokens(
                            settings.host(),
                            AccessToken.keptIn(settings.tokenFile()),
                            AccessToken.keptIn(settings.answerTokenFile()));
        } catch (TokenUnusable e) {
            data.close();
            throw e;
        }
        // Programs' outputs are watched by the event loops themselves, which only the native transport can.
        var files = new FileSystemOptions()
                .setFileCacheDir(data.unpacked().resolve("page").toString());
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setFileSystemOptions(files));
        try {
            var log = new LogSettings(data.path(), settings.cache(), settings.database(), settings.fsync());
            var gauges = new Gauges();
            var told = new EngineSettings(
                    log,
                    settings.workspace(),
                    settings.spawner(),
                    settings.policy(),
                    settings.quotas(),
                    List.of(gauges.tasks()),
                    settings.keepOutputs());
            Future<Server> started = Engine.start(vertx, told)
                    .compose(engine -> listen(vertx, settings, engine, guard, gauges)
                            .map(edges -> new Server(data, vertx, engine, edges, gauges, settings.host()))
                            // Not before nothing can keep it from running: what waits would be started to be stopped.
                            .onSuccess(listening -> engine.lanes().open())
                            .recover(e -> engine.stop().transform(stopped -> Future.failedFuture(e))));
            return started.toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            stop("Vert.x", vertx.close());
            data.close();
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** As many as there are processors, so that one busy connection does not keep all others waiting. */
    private static Future<List<EdgeVerticle>> listen(
            Vertx vertx, ServerSettings settings, Engine engine, Guard guard, Gauges gauges) {
        // A negative port is any that is free, and the same for all that are deployed together.
        HttpServerOptions options = AttachRoutes.withSockets(
                HttpEdge.options(settings.host(), settings.port() == 0 ? -1 : settings.port()));
        var connections = new AtomicInteger();
        var disk = new DiskRoom(settings.data());
        var rooms = new Rooms(connections::decrementAndGet);
        gauges.watch(engine.ledger(), engine.lanes(), disk, connections);
        long now = System.nanoTime();
        var edges = new CopyOnWriteArrayList<EdgeVerticle>();
        return vertx.deployVerticle(
                        () -> {
                            var edge = new EdgeVerticle(options, engine, guard, gauges, disk, rooms, connections, now);
                            edges.add(edge);
                            return edge;
                        },
                        new DeploymentOptions()
                                .setInstances(Runtime.getRuntime().availableProcessors()))
                .map(deployed -> List.copyOf(edges))
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
        return "http://" + name + ":" + edges.getFirst().port();
    }

    PolicyStanding policy() {
        return engine.policy();
    }

    Containment containment() {
        return engine.containment();
    }

    /** Why programs are started by pty4j though nobody asked for it; empty where they are not. */
    Optional<String> whyNotNative() {
        return engine.whyNotNative();
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Nothing new comes in, what runs is finished, what is kept is safe. Returns when all of it is done. */
    void stop() {
        // Viewers are told how their tasks have ended, so they stay until the log is closed.
        Promise<Void> engineStopped = Promise.promise();
        Future<?> finished = Future.join(edges.stream()
                .map(edge -> edge.shutdown(engineStopped.future()))
                .toList());
        stop("tasks and their log", engine.stop().onComplete(engineStopped));
        stop("the HTTP server", finished);
        gauges.close();
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
