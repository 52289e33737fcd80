package io.penstock.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.Actor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of docs/event-bus.md run as they stand there, with what the engine offers to other packages. */
class EventBusExamplesTest {

    @Test
    void documentedProgramRunsATask() {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try {
            assertEquals("nonzero: hello\n", EmbeddedEngine.hello(vertx, TestDatabase.directory()));
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void documentedSinkIsToldOfTheEnd() throws InterruptedException {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var reports = new LinkedBlockingQueue<String>();
        Path data = TestDatabase.directory();
        var log = new LogSettings(data, data.resolve("postgres-programs"), null, new Fsync.Never());
        var settings = new EngineSettings(log, data)
                .withSinks(List.of(new BuildReporter(reports)))
                .withTaskUsage(false);
        Engine engine = Engine.start(vertx, settings).await();
        try {
            engine.tasks()
                    .spawn(TaskRequest.builder(
                                    "bash",
                                    List.of("/bin/bash", "-c", "echo compiling; echo failed; exit 1"),
                                    Actor.user("example"))
                            .timeout(Duration.ofMinutes(1))
                            .build())
                    .await();
            assertEquals("nonzero: failed", reports.poll(60, TimeUnit.SECONDS));
        } finally {
            engine.stop().await();
            vertx.close().await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EmbeddedEngine", "BuildWatcher", "BuildReporter"})
    void pageShowsTheProgramThatRuns(String name) throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/penstock/example/" + name + ".java"));
        assertTrue(
                Files.readString(Path.of("../../docs/event-bus.md"))
                        .contains(source.substring(source.indexOf("import "))),
                "docs/event-bus.md shows another " + name);
    }
}
