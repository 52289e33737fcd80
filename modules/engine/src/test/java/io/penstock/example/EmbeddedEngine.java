package io.penstock.example;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.bus.BusAddresses;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.JsonText;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts an engine, runs one task, prints its output, and stops. */
final class EmbeddedEngine {

    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try {
            System.out.print(hello(vertx, Path.of("penstock-data")));
        } finally {
            vertx.close().await();
        }
    }

    static String hello(Vertx vertx, Path data) {
        var log = new LogSettings(data, data.resolve("postgres-programs"), null, new Fsync.Never());
        Engine engine =
                Engine.start(vertx, new EngineSettings(log, Path.of("."))).await();
        try {
            var request = TaskRequest.builder(
                            "bash", // the tool's name, as it is recorded
                            List.of("/bin/bash", "-c", "echo hello; exit 3"), // the command
                            Actor.user("example")) // recorded as the caller
                    .args(new JsonText("{\"command\": \"echo hello; exit 3\"}")) // the arguments, as they are recorded
                    .title("greet")
                    .timeout(Duration.ofMinutes(1))
                    .build();
            String taskId = vertx.eventBus()
                    .<String>request(BusAddresses.SPAWN, request)
                    .await()
                    .body();
            var watcher = new BuildWatcher(taskId);
            vertx.deployVerticle(watcher).await();
            String outcome = watcher.outcome().await();
            String output = engine.tasks()
                    .output(taskId, Channel.STDOUT, 0, 64 * 1024)
                    .await()
                    .text()
                    .text();
            return outcome + ": " + output;
        } finally {
            engine.stop().await();
        }
    }
}
