package io.penstock.server;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.policy.PolicyStatus;
import io.penstock.engine.spawn.epoll.EventLoops;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Containment;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.guard.AccessToken;
import io.penstock.server.guard.AnswerToken;
import io.penstock.server.guard.BrowserSessions;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.guard.TokenUnusable;
import io.penstock.server.http.ChangedTasks;
import io.penstock.server.http.HttpEdge;
import io.penstock.server.ops.FreeDisk;
import io.penstock.server.ops.Gauges;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.rpc.RpcEdge;
import io.penstock.server.tools.agents.OrphanedTasks;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.penstock.server.webhook.WebhookTimes;
import io.penstock.server.webhook.Webhooks;
import io.penstock.server.ws.AttachRoutes;
import io.penstock.server.ws.AttachedViewers;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole server: how its parts are wired, started bottom up and stopped in reverse order. */
final class Server {

    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** Timeout of each step of the shutdown; Postgres has its own, shorter deadline. */
    private static final long STOP_STEP_SECONDS = 30;

    /** EX_SOFTWARE of sysexits.h: a supervisor restarts the server. */
    private static final int EXIT_DEAD_LOOP = 70;

    private final DataDirectory data;
    private final Vertx vertx;
    private final Engine engine;
    private final Webhooks webhooks;
    private final List<EdgeVerticle> edges;
    private final @Nullable RpcEdge rpc;
    private final @Nullable OrphanedTasks orphans;
    private final Gauges gauges;
    private final String host;
    private final AtomicBoolean closing;
    private final CountDownLatch ended = new CountDownLatch(1);

    private Server(
            DataDirectory data,
            Vertx vertx,
            Engine engine,
            Webhooks webhooks,
            List<EdgeVerticle> edges,
            @Nullable RpcEdge rpc,
            @Nullable OrphanedTasks orphans,
            Gauges gauges,
            String host,
            AtomicBoolean closing) {
        this.data = data;
        this.vertx = vertx;
        this.engine = engine;
        this.webhooks = webhooks;
        this.edges = edges;
        this.rpc = rpc;
        this.orphans = orphans;
        this.gauges = gauges;
        this.host = host;
        this.closing = closing;
    }

    /**
     * Skips the orderly stop, which would wait for the dead loop: everything accepted is in the journal for the next
     * start.
     */
    private static void haltProcess(String loop) {
        String sentence = "penstock: The server exits with code " + EXIT_DEAD_LOOP + ", because an error ended its "
                + loop + ", and with it its tasks and connections; the log above shows the error. Restart the server:"
                + " nothing that was accepted is lost.";
        // System.err is written by a thread of its own, which the halt would overtake; and perhaps no
        // process reads stderr.
        Thread writer = Thread.ofPlatform().daemon().start(() -> {
            var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
            err.println(sentence);
        });
        try {
            writer.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(EXIT_DEAD_LOOP);
    }

    /** Returns when the server is ready, or throws and leaves nothing behind. */
    static Server start(ServerSettings settings) throws Exception {
        return start(settings, null);
    }

    /** @param person shown an answer token if none exists yet; null if the output is not seen by one person alone */
    static Server start(ServerSettings settings, @Nullable Consumer<String> person) throws Exception {
        // Checked first: a refused start must not have changed anything.
        Guard tokenlessGuard = settings.auth() ? null : Guard.withoutToken(settings.host());
        DataDirectory data = DataDirectory.open(settings.data());
        Guard guard;
        try {
            guard = tokenlessGuard != null ? tokenlessGuard : withTokens(settings, data.path(), person);
        } catch (TokenUnusable e) {
            data.close();
            throw e;
        }
        // The event loops watch the programs' outputs, which needs the native transport. Vert.x opens files by
        // absolute paths only: it searches neither the class path nor the working directory.
        var files = new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false);
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setFileSystemOptions(files));
        var closing = new AtomicBoolean();
        EventLoops.whenEnded(vertx, loop -> {
            if (!closing.get()) {
                haltProcess(loop);
            }
        });
        try {
            var log = new LogSettings(data.path(), settings.cache(), settings.database(), settings.fsync());
            var gauges = new Gauges();
            var changes = new ChangedTasks();
            var engineSettings = new EngineSettings(
                            log,
                            settings.workspace(),
                            settings.spawner(),
                            settings.policy(),
                            settings.quotas(),
                            listeners(gauges, changes),
                            settings.retention(),
                            new DescriptorBudget(descriptorsNeeded(settings)),
                            settings.diskReserveBytes())
                    .withAgents(settings.configuration().agents())
                    .withTaskUsage(settings.taskUsage());
            Engine engine = Engine.startPaused(vertx, engineSettings).await();
            Webhooks webhooks = webhooks(vertx, data.path(), engine);
            var connections = new Connections(vertx, engine.descriptors(), maxConnections());
            Edges edges = listenOrStop(vertx, settings, engine, changes, webhooks, guard, gauges, connections);
            // Only after nothing can prevent the start: otherwise queued tasks would be started only to be stopped.
            engine.lanes().open();
            OrphanedTasks orphans =
                    orphans(vertx, engine, settings.configuration().tasks());
            return new Server(
                    data,
                    vertx,
                    engine,
                    webhooks,
                    edges.http(),
                    edges.rpc(),
                    orphans,
                    gauges,
                    settings.host(),
                    closing);
        } catch (Throwable e) {
            closing.set(true);
            stop("Vert.x", vertx.close());
            data.close();
            throw e;
        }
    }

    private static List<FrameListener.Source> listeners(Gauges gauges, ChangedTasks changes) {
        return Stream.concat(gauges.listeners().stream(), Stream.of(changes)).toList();
    }

    private static @Nullable OrphanedTasks orphans(Vertx vertx, Engine engine, TaskToolSettings tools) {
        if (!tools.enabled()) {
            return null;
        }
        var orphans = new OrphanedTasks(
                vertx,
                engine.tasks(),
                engine.agents(),
                engine.sessions(),
                TimeUnit.SECONDS.toMillis(tools.orphanTtlSecs()),
                System::currentTimeMillis);
        vertx.runOnContext(begin -> orphans.start());
        return orphans;
    }

    private static Webhooks webhooks(Vertx vertx, Path data, Engine engine) {
        try {
            return Webhooks.start(
                            vertx, data, engine.sessions(), engine.tasks(), engine.webhookGate(), WebhookTimes.DEFAULT)
                    .await();
        } catch (Throwable e) {
            engine.stop().otherwiseEmpty().await();
            throw e;
        }
    }

    /** @param rpc null without a port for hosts */
    private record Edges(List<EdgeVerticle> http, @Nullable RpcEdge rpc) {}

    private static Edges listenOrStop(
            Vertx vertx,
            ServerSettings settings,
            Engine engine,
            ChangedTasks changes,
            Webhooks webhooks,
            Guard guard,
            Gauges gauges,
            Connections connections)
            throws StartFailure {
        try {
            List<EdgeVerticle> http = listen(vertx, settings, engine, changes, webhooks, guard, gauges, connections);
            return new Edges(http, listenForHosts(vertx, settings, engine, guard, connections));
        } catch (Throwable e) {
            webhooks.stop().otherwiseEmpty().await();
            engine.stop().otherwiseEmpty().await();
            throw e;
        }
    }

    /** The descriptors needed for the maximum number of connections and running tasks. */
    static int descriptorsNeeded(ServerSettings settings) {
        return DescriptorBudget.needed(maxConnections(), settings.quotas().running());
    }

    private static int maxConnections() {
        return HttpLimits.connections(Runtime.getRuntime().maxMemory());
    }

    private static Guard withTokens(ServerSettings settings, Path data, @Nullable Consumer<String> person)
            throws TokenUnusable {
        AccessToken token = AccessToken.keptIn(settings.tokenFile());
        Optional<AnswerToken> answerToken = AnswerToken.keptIn(data);
        if (answerToken.isEmpty() && person != null) {
            person.accept(AnswerToken.renew(data));
            answerToken = AnswerToken.keptIn(data);
        }
        return Guard.withTokens(
                settings.host(),
                token,
                answerToken.orElse(null),
                BrowserSessions.keptIn(data.resolve("sessions"), token));
    }

    /** One verticle per processor, so that a busy connection does not block all others. */
    private static List<EdgeVerticle> listen(
            Vertx vertx,
            ServerSettings settings,
            Engine engine,
            ChangedTasks changes,
            Webhooks webhooks,
            Guard guard,
            Gauges gauges,
            Connections connections)
            throws StartFailure {
        // A negative port means any free port, the same for all instances of the deployment.
        HttpServerOptions options = AttachRoutes.withSockets(
                HttpEdge.options(settings.host(), settings.port() == 0 ? -1 : settings.port()));
        var disk = new FreeDisk(settings.data());
        var viewers = new AttachedViewers(connections::left);
        AnswerBudget budget = AnswerBudget.ofTheHeap();
        gauges.watch(engine.ledger()::health, engine.lanes()::running, engine.lanes()::waiting, disk, connections);
        gauges.watch(engine.janitor()::status);
        long now = System.nanoTime();
        var edges = new CopyOnWriteArrayList<EdgeVerticle>();
        Supplier<EdgeVerticle> newEdge = () -> {
            var edge = new EdgeVerticle(
                    options,
                    engine,
                    changes,
                    webhooks,
                    guard,
                    gauges,
                    disk,
                    viewers,
                    connections,
                    budget,
                    settings.configuration().tasks(),
                    now);
            edges.add(edge);
            return edge;
        };
        var onePerProcessor =
                new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
        try {
            vertx.deployVerticle(newEdge, onePerProcessor).await();
        } catch (Throwable e) {
            throw cannotListen(settings.host(), settings.port(), "--port", e);
        }
        return List.copyOf(edges);
    }

    private static @Nullable RpcEdge listenForHosts(
            Vertx vertx, ServerSettings settings, Engine engine, Guard guard, Connections connections)
            throws StartFailure {
        Integer port = settings.rpcPort();
        if (port == null) {
            return null;
        }
        var rpc = new RpcEdge(
                settings.host(),
                port,
                engine.tasks(),
                engine.agents(),
                engine.ledger().idempotency()::once,
                guard,
                connections);
        try {
            vertx.deployVerticle(rpc).await();
        } catch (Throwable e) {
            throw cannotListen(settings.host(), port, "--rpc-port", e);
        }
        return rpc;
    }

    private static StartFailure cannotListen(String host, int port, String option, Throwable e) {
        String place = host + ", port " + port;
        // Each transport throws its own exception for this; all contain the kernel's message.
        boolean taken = String.valueOf(e.getMessage()).contains("in use");
        return taken
                ? new StartFailure(
                        "Another program already listens on " + place + ": stop it, or choose another port with "
                                + option + ".",
                        e)
                : new StartFailure(
                        "Penstock cannot listen on " + place + " (" + e.getMessage()
                                + "): give an address of this machine with --host and a free port with " + option + ".",
                        e);
    }

    /** A warning if the descriptor limit is reached before the limits of connections and tasks. */
    Optional<String> fewDescriptors(ServerSettings settings) {
        DescriptorBudget room = engine.descriptors();
        return room.isShort()
                ? Optional.of("The system permits at most " + room.limit() + " open files and connections, but "
                        + maxConnections() + " connections and "
                        + settings.quotas().running() + " running tasks may need "
                        + descriptorsNeeded(settings)
                        + "; what exceeds the limit is refused. Raise it with ulimit -n or LimitNOFILE=.")
                : Optional.empty();
    }

    /** The server's address as a link. */
    String address() {
        return "http://" + hostName() + ":" + edges.getFirst().port();
    }

    /** Where hosts of agent tasks connect to. */
    Optional<String> rpcAddress() {
        return Optional.ofNullable(rpc).map(edge -> hostName() + ":" + edge.port());
    }

    private String hostName() {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    PolicyStatus policy() {
        return engine.policy();
    }

    Containment containment() {
        return engine.containment();
    }

    /** Why programs are started by pty4j although it was not requested; empty if they are not. */
    Optional<String> whyNotNative() {
        return engine.whyNotNative();
    }

    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Stops accepting work, finishes what is running and makes the data safe. Returns when all of it is done. */
    void stop() {
        // Viewers are notified how their tasks ended, so they stay until the log is closed.
        Promise<Void> engineStopped = Promise.promise();
        Future<?> finished = Future.join(edges.stream()
                .map(edge -> edge.shutdown(engineStopped.future()))
                .toList());
        if (orphans != null) {
            orphans.stop();
        }
        stop("the webhooks", webhooks.stop());
        stop("tasks and their log", engine.stop().onComplete(engineStopped));
        stop("the HTTP server", finished);
        gauges.close();
        closing.set(true);
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
            log.warn("Stopping {} took longer than {} s and was abandoned", what, STOP_STEP_SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
