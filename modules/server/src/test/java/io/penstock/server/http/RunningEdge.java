package io.penstock.server.http;

import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.artifact.ArtifactService;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.policy.WebhookGate;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.ScreenUpdater;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.server.api.ApiDocument;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.config.ShippedProfiles;
import io.penstock.server.guard.AccessToken;
import io.penstock.server.guard.AnswerToken;
import io.penstock.server.guard.BrowserSessions;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.guard.SignInRoutes;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.penstock.server.tools.shell.ServerTools;
import io.penstock.server.webhook.WebhookTimes;
import io.penstock.server.webhook.Webhooks;
import io.penstock.server.ws.AttachRoutes;
import io.penstock.server.ws.AttachedViewers;
import io.penstock.server.ws.MailboxRoutes;
import io.penstock.testbed.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The edge with real programs and artifacts, and a log that forgets, on a port of its own. */
public final class RunningEdge implements AutoCloseable {

    /** One server-sent event. */
    record Event(long id, JsonObject frame) {}

    static final List<ApiOperation> OF_THE_SERVER =
            List.of(ApiOperation.HEALTH, ApiOperation.READINESS, ApiOperation.METRICS, ApiOperation.RETENTION);

    /** Four attempts at short distances, so that tests see them all. Even a slow machine answers in that time. */
    private static final WebhookTimes WEBHOOK_TIMES = new WebhookTimes(4, 20, 100, 30_000);

    final SessionApi sessions;
    final Webhooks webhooks;
    final String token;
    final String answerToken;
    final Path workspace;
    public final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final HttpClient client = HttpClient.newHttpClient();
    private final ArtifactStore artifacts;
    private final PumpDeployment pumps;
    public final Screens screens;
    final Connections connections;
    private final HttpServer server;

    public RunningEdge(Path folder) {
        this(folder, Policy.LOCAL);
    }

    RunningEdge(Path folder, Policy policy) {
        this(folder, policy, Quotas.DEFAULT);
    }

    RunningEdge(Path folder, Policy policy, Quotas quotas) {
        this(folder, policy, quotas, AnswerBudget.ofTheHeap());
    }

    RunningEdge(Path folder, Policy policy, Quotas quotas, AnswerBudget budget) {
        this(folder, policy, quotas, budget, WEBHOOK_TIMES);
    }

    RunningEdge(Path folder, WebhookTimes times) {
        this(folder, Policy.LOCAL, Quotas.DEFAULT, AnswerBudget.ofTheHeap(), times);
    }

    private RunningEdge(Path folder, Policy policy, Quotas quotas, AnswerBudget budget, WebhookTimes times) {
        try {
            Path file = folder.resolve("token");
            answerToken = AnswerToken.renew(folder);
            AccessToken access = AccessToken.keptIn(file);
            Guard guard = Guard.withTokens(
                    "127.0.0.1",
                    access,
                    AnswerToken.keptIn(folder).orElseThrow(),
                    BrowserSessions.keptIn(folder.resolve("sessions"), access));
            token = Files.readString(file).strip();
            artifacts = ArtifactStore.open(folder.resolve("artifacts"));
            workspace = Files.createDirectory(folder.resolve("workspace"));
            var log = new MemoryFrameLog(vertx);
            var keeper = new ScreenUpdater();
            var changes = new ChangedTasks();
            sessions = Await.await(SessionApi.deploy(vertx, log, log, System::currentTimeMillis));
            Await.await(PolicyVerticle.serve(vertx.eventBus(), () -> policy));
            Await.await(ArtifactService.serve(vertx, artifacts));
            pumps = Await.await(PumpDeployment.start(
                    vertx,
                    new ListenedLog(log, List.of(keeper, changes)),
                    log,
                    sessions,
                    artifacts,
                    new NativeSpawner(Optional.empty()),
                    () -> policy,
                    quotas,
                    false,
                    new DescriptorBudget(),
                    folder,
                    workspace,
                    new AgentProfiles(ShippedProfiles.all(folder), ShippedProfiles.USUAL),
                    UsageSampler.off()));
            pumps.lanes().open();
            webhooks = Await.await(
                    Webhooks.start(vertx, folder, sessions, pumps.tasks(), new WebhookGate(() -> policy), times));
            screens = Screens.open(vertx, log, artifacts, keeper);
            Router router = Router.router(vertx);
            connections = new Connections(vertx, new DescriptorBudget(), HttpLimits.CONNECTIONS);
            HttpEdge.protect(router, guard, connections);
            var routes = new ApiRoutes(ApiDocument.read());
            // Keys need the ledger, and so does what is told of the server itself; UpTest shows them with it.
            HttpEdge.bind(
                    routes,
                    pumps.tasks(),
                    changes,
                    sessions,
                    webhooks,
                    screens,
                    ServerTools.of(vertx, pumps.tasks(), pumps.agents(), sessions, TaskToolSettings.DEFAULT),
                    (principal, key, fingerprint, operation) -> operation.get(),
                    guard.actor(),
                    guard.answerer(),
                    budget);
            var viewers = new AttachedViewers(connections::left);
            AttachRoutes.bind(routes, pumps.tasks(), screens, viewers, guard.actor(), budget);
            MailboxRoutes.bind(routes, sessions, pumps.tasks(), viewers, guard.actor());
            SignInRoutes.bind(routes, guard);
            OF_THE_SERVER.forEach(operation -> routes.bind(operation, request -> request.fail(404)));
            routes.add(router, guard);
            router.get("/assets/defect").handler(request -> {
                throw new IllegalStateException("not for callers");
            });
            var options = AttachRoutes.withSockets(HttpEdge.options("127.0.0.1", 0));
            server = Await.await(HttpEdge.limit(vertx.createHttpServer(options), connections)
                    .requestHandler(router)
                    .listen());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public TaskApi tasks() {
        return pumps.tasks();
    }

    AgentApi agents() {
        return pumps.agents();
    }

    int port() {
        return server.actualPort();
    }

    /** A request with the token, to be completed. */
    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30))
                .header("authorization", "Bearer " + (path.endsWith("/answer") ? answerToken : token));
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** An answer that does not end by itself: its body is left unless it is an error. */
    HttpResponse<String> begun(String path) {
        try {
            return client.send(
                    to(path).build(),
                    head -> head.statusCode() == 200
                            ? new LeftBody()
                            : BodySubscribers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Closes the connection instead of reading. */
    private static final class LeftBody implements BodySubscriber<String> {

        @Override
        public CompletionStage<String> getBody() {
            return CompletableFuture.completedFuture("");
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {}

        @Override
        public void onError(Throwable why) {}

        @Override
        public void onComplete() {}
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    /** The body of an answer, as it comes. */
    InputStream open(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofInputStream()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As happens every few seconds: files that nobody reads are closed. */
    void closeUnread() {
        artifacts.closeUnread();
    }

    /** As retention would. */
    void delete(String artifactId) {
        artifacts.delete(artifactId);
    }

    /** The first frames of a task. */
    Future<List<Frame>> frames(String taskId) {
        return pumps.tasks().frames(taskId, 0, 100).map(Page::frames);
    }

    Future<TaskState> state(String taskId) {
        return pumps.tasks().state(taskId);
    }

    HttpResponse<String> get(String path) {
        return send(to(path).build());
    }

    HttpResponse<String> post(String path, String json) {
        return send(to(path).header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    String spawn(String command, String mode) {
        return spawn(new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", mode)
                .put("args", new JsonObject().put("command", command)));
    }

    String spawn(JsonObject body) {
        HttpResponse<String> spawned = post("/tasks", body.encode());
        if (spawned.statusCode() != 201) {
            throw new AssertionError(spawned.statusCode() + " " + spawned.body());
        }
        return new JsonObject(spawned.body()).getString("task_id");
    }

    /** The task's status once it has ended. What follows from the end may still be happening. */
    JsonObject ended(String taskId) {
        var status = new JsonObject(send(to("/tasks/" + taskId + "?wait=" + HttpLimits.WAIT_MS)
                        .timeout(Duration.ofMillis(2L * HttpLimits.WAIT_MS))
                        .build())
                .body());
        if (!"ended".equals(status.getString("phase"))) {
            throw new AssertionError("it has not ended: " + status.encode());
        }
        return status;
    }

    /** The same, once all is done that follows from the end. */
    JsonObject settled(String taskId) {
        JsonObject status = ended(taskId);
        Await.finished(pumps.tasks().settled(taskId));
        return status;
    }

    /** All events of a stream that closes by itself. */
    List<Event> events(String path) {
        return events(to(path));
    }

    List<Event> events(HttpRequest.Builder request) {
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return parse(answer.body());
    }

    static List<Event> parse(String text) {
        var events = new ArrayList<Event>();
        for (String block : text.split("\n\n")) {
            if (block.startsWith("id: ")) {
                String[] lines = block.split("\n");
                events.add(new Event(
                        Long.parseLong(lines[0].substring(4)), new JsonObject(lines[1].substring("data: ".length()))));
            } else if (block.startsWith("data: ")) {
                events.add(new Event(-1, new JsonObject(block.substring("data: ".length()))));
            }
        }
        return events;
    }

    /** Reads the task's events until one has this text in it. */
    void await(String taskId, String text) {
        try (Stream<String> lines = lines("/tasks/" + taskId + "/events")) {
            if (lines.noneMatch(line -> line.contains(text))) {
                throw new AssertionError("the events ended without " + text);
            }
        }
    }

    /** The lines of an answer, as they come. */
    Stream<String> lines(String path) {
        try {
            return client.send(to(path).build(), BodyHandlers.ofLines()).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What is answered to exactly these bytes. */
    String raw(String request) {
        try (var socket = new Socket("127.0.0.1", port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The head of what is answered to exactly these bytes; the answer itself may have no end. */
    String rawHead(String request) {
        try (var socket = new Socket("127.0.0.1", port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            return lines.lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.joining("\r\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        Await.await(server.close());
        Await.await(pumps.stop());
        Await.await(screens.close());
        Await.await(vertx.close());
        artifacts.close();
    }
}
