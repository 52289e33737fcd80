package io.penstock.server.ws;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.server.attach.BareSocket;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.http.RunningEdge;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A task with a terminal and some output, and what is needed to attach to it without a whole server. */
public final class ServedTask implements AutoCloseable {

    private final RunningEdge edge;
    final AtomicInteger detached = new AtomicInteger();
    final AttachedViewers viewers = new AttachedViewers(detached::incrementAndGet);
    public final Vertx vertx;
    public final TaskApi tasks;
    public final String task;

    public ServedTask(Path folder) {
        edge = new RunningEdge(folder);
        vertx = edge.vertx;
        tasks = edge.tasks();
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
                tasks, edge.screens, viewers, Actor.user("tester"), wires, pingMs, AnswerBudget.ofTheHeap());
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
        edge.close();
    }
}
