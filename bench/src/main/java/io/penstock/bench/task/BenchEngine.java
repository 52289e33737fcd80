package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.SpawnerChoice;
import io.penstock.engine.log.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskRequest;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An engine as the server has it, with a journal and a Postgres of its own, in a folder that goes with it. */
final class BenchEngine implements AutoCloseable {

    /** Measured is what runs, not what waits. */
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
        // Run by root, Postgres is another user's, who must get in.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        Path programs = Path.of("/tmp", "penstock-bench-install-" + System.getProperty("user.name"));
        var log = new LogSettings(data, programs, null, new Fsync.Never());
        var settings = new EngineSettings(
                log, folder, SpawnerChoice.AUTOMATIC, PolicySource.LOCAL, MANY, List.of(), EngineSettings.KEEP_OUTPUTS);
        Engine engine = await(Engine.start(vertx, settings));
        engine.lanes().open();
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

    /** The file that has what a task wrote, below the folder. */
    Path artifact(String relative) {
        return folder.resolve("data").resolve(relative);
    }

    /** Runs a command of the shell, its output kept without limit. */
    String spawn(String command, ExecutionMode mode) {
        return await(tasks().spawn(new TaskRequest(
                "bash",
                new JsonText("{}"),
                List.of("/bin/bash", "-c", command),
                Map.of(),
                null,
                null,
                null,
                mode,
                TerminalSize.USUAL,
                null,
                null,
                null,
                Duration.ofHours(1),
                Actor.user("bench"))));
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
