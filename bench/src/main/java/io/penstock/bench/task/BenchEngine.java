package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.SpawnerChoice;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.retention.RetentionSettings;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An engine like the server's, with its own journal and Postgres, in a folder that is deleted with it. */
final class BenchEngine implements AutoCloseable {

    /** Running tasks are measured, not waiting ones. */
    private static final Quotas MANY = new Quotas(10_000, 10_000, 0);

    private final Path folder;
    private final Vertx vertx;
    private final Engine engine;

    private BenchEngine(Path folder, Vertx vertx, Engine engine) {
        this.folder = folder;
        this.vertx = vertx;
        this.engine = engine;
    }

    static BenchEngine start() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-bench-");
        // As root, Postgres runs under another account, which must be able to enter.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        Path programs = Path.of("/tmp", "penstock-bench-install-" + System.getProperty("user.name"));
        var log = new LogSettings(data, programs, null, new Fsync.Never());
        var settings = new EngineSettings(
                log,
                folder,
                SpawnerChoice.AUTOMATIC,
                PolicySource.LOCAL,
                MANY,
                List.of(),
                RetentionSettings.DEFAULT,
                new DescriptorBudget(),
                0);
        Engine engine = await(Engine.start(vertx, settings));
        return new BenchEngine(folder, vertx, engine);
    }

    TaskApi tasks() {
        return engine.tasks();
    }

    Vertx vertx() {
        return vertx;
    }

    Engine engine() {
        return engine;
    }

    Path folder() {
        return folder;
    }

    /** The file with a task's output, below the folder. */
    Path artifact(String relative) {
        return folder.resolve("data").resolve(relative);
    }

    /** Runs a shell command and keeps its output without limit. */
    String spawn(String command, ExecutionMode mode) {
        return await(tasks().spawn(TaskRequest.builder("bash", List.of("/bin/bash", "-c", command), Actor.user("bench"))
                .mode(mode)
                .artifactMaxBytes(null)
                .maxBytes(null)
                .build()));
    }

    @Override
    public void close() throws IOException {
        await(engine.stop());
        await(vertx.close());
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
