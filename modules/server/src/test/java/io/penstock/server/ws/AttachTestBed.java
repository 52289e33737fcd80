package io.penstock.server.ws;

import io.penstock.engine.artifact.ArtifactService;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.screen.ScreenUpdater;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Actor;
import io.penstock.server.attach.BareSocket;
import io.penstock.server.budget.AnswerBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A task with a terminal and some output, and what is needed to attach to it without a whole server. */
public final class AttachTestBed implements AutoCloseable {

    public final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final ArtifactStore artifacts;
    private final PumpDeployment pumps;
    private final Screens screens;
    final AtomicInteger detached = new AtomicInteger();
    final AttachedViewers viewers = new AttachedViewers(detached::incrementAndGet);
    public final TaskApi tasks;
    public final String task;

    public AttachTestBed(Path folder) {
        artifacts = ArtifactStore.open(folder.resolve("artifacts"));
        var log = new MemoryFrameLog(vertx);
        var updater = new ScreenUpdater();
        await(PolicyVerticle.serve(vertx.eventBus(), () -> Policy.LOCAL));
        await(ArtifactService.serve(vertx, artifacts));
        pumps = await(PumpDeployment.start(
                vertx,
                new ListenedLog(log, List.of(updater)),
                log,
                await(SessionApi.deploy(vertx, log, log, System::currentTimeMillis)),
                artifacts,
                new NativeSpawner(Optional.empty()),
                () -> Policy.LOCAL,
                Quotas.DEFAULT,
                false,
                new DescriptorBudget(),
                folder,
                folder));
        pumps.lanes().open();
        tasks = pumps.tasks();
        screens = Screens.open(vertx, log, artifacts, updater);
        task = await(tasks.spawn(TaskRequest.builder(
                        "bash",
                        List.of("bash", "-c", "stty -echo; while read line; do echo got $line; done"),
                        Actor.user("tester"))
                .title("a test")
                .terminal(new TerminalSize(24, 80))
                .artifactMaxBytes(1L << 20)
                .timeout(Duration.ofSeconds(120))
                .build()));
        for (int i = 0; i < 10; i++) {
            await(tasks.apply(
                    new TaskCommand.WriteInput(task, "line\n".getBytes(StandardCharsets.UTF_8), Actor.user("tester"))));
        }
    }

    /** Serves attaching on a free port. */
    HttpServer serve(AttachRoutes.Wires wires, long pingMs) {
        var routes = new AttachRoutes(
                tasks, screens, viewers, Actor.user("tester"), wires, pingMs, AnswerBudget.ofTheHeap());
        Router router = Router.router(vertx);
        router.get("/tasks/:id/attach").handler(routes::attach);
        return await(vertx.createHttpServer(AttachRoutes.withSockets(new HttpServerOptions().setPort(0)))
                .requestHandler(router)
                .listen());
    }

    BareSocket attach(HttpServer server, String query) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + server.actualPort());
        return new BareSocket(address, "/tasks/" + task + "/attach?" + query, "penstock.v1.json").open();
    }

    int viewers() {
        return viewers.viewers(task).getJsonArray("viewers").size();
    }

    @Override
    public void close() {
        await(pumps.stop());
        await(screens.close());
        await(vertx.close());
        artifacts.close();
    }

    public static <T extends @Nullable Object> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
