package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.MemoryFrameLog;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Real programs, real artifacts, and a log that forgets: all of the engine but its ledger. */
final class RunningEngine implements AutoCloseable {

    final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    final TaskApi tasks;
    private final ArtifactStore artifacts;

    RunningEngine(Path folder) {
        artifacts = ArtifactStore.open(folder.resolve("artifacts"));
        try {
            var log = new MemoryFrameLog(vertx);
            var parts = new TaskParts(
                    log,
                    log,
                    artifacts,
                    new NativeSpawner(Optional.empty()),
                    new LiveTasks(folder.resolve("live")),
                    folder,
                    System::currentTimeMillis);
            var shards = List.of(new PumpVerticle(parts), new PumpVerticle(parts));
            shards.forEach(shard -> await(vertx.deployVerticle(shard)));
            tasks = new TaskApi(vertx, parts, shards);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TaskRequest bash(String command, ExecutionMode mode) {
        return new TaskRequest(
                "bash",
                new JsonText("{}"),
                List.of("/bin/bash", "-c", command),
                Map.of(),
                null,
                null,
                mode,
                TerminalSize.USUAL,
                null,
                16L << 20,
                512L << 10,
                Duration.ofSeconds(60),
                Actor.user("tester"));
    }

    String spawn(TaskRequest request) {
        return await(tasks.spawn(request));
    }

    /** All frames, up to the first for which the condition holds, with the text of output. */
    List<Frame> until(String taskId, Predicate<Frame> last) {
        var frames = Collections.synchronizedList(new ArrayList<Frame>());
        var done = new CompletableFuture<List<Frame>>();
        DeltaReader text = tasks.deltaReader();
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(done::completeExceptionally);
        follower.handler(frame -> {
            try {
                Frame shown = text.withText(frame);
                frames.add(shown);
                if (last.test(shown)) {
                    done.complete(frames);
                }
            } catch (IOException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("saw " + frames, e);
        } finally {
            follower.cancel();
        }
    }

    List<Frame> toTheEnd(String taskId) {
        return until(taskId, frame -> frame.body() instanceof ToolTaskStatus status && status.ending() != null);
    }

    TaskState state(String taskId) {
        return await(tasks.state(taskId));
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("no answer within 30 s", e);
        }
    }

    @Override
    public void close() {
        await(vertx.close());
        artifacts.close();
    }
}
