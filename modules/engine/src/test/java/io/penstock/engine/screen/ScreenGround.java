package io.penstock.engine.screen;

import static io.penstock.engine.Await.await;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.pump.PumpDeployment;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskRequest;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Real programs in real terminals, their outputs in files, and a log that forgets. */
final class ScreenGround implements AutoCloseable {

    final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    final ArtifactStore artifacts;
    final MemoryFrameLog log = new MemoryFrameLog(vertx);
    final TaskApi tasks;
    Screens screens;
    private final PumpDeployment pumps;

    ScreenGround(Path folder) {
        artifacts = ArtifactStore.open(folder.resolve("artifacts"));
        var keeper = new ScreenKeeper();
        pumps = await(PumpDeployment.start(
                vertx,
                new ListenedLog(log, List.of(keeper)),
                log,
                artifacts,
                new NativeSpawner(Optional.empty()),
                () -> Policy.LOCAL,
                Quotas.USUAL,
                false,
                folder,
                folder));
        pumps.lanes().open();
        tasks = pumps.tasks();
        screens = Screens.open(vertx, log, artifacts, keeper);
    }

    /** As after a restart: nothing is ready, and nobody hears what is written. */
    void forgetScreens() {
        await(screens.close());
        screens = Screens.open(vertx, log, artifacts, new ScreenKeeper());
    }

    String spawn(int rows, int cols, String... command) {
        return spawn(ExecutionMode.PTY, rows, cols, 256L << 20, command);
    }

    String spawn(ExecutionMode mode, int rows, int cols, long storedBytes, String... command) {
        return await(tasks.spawn(new TaskRequest(
                "bash",
                new JsonText("{\"rows\":" + rows + ",\"cols\":" + cols + "}"),
                List.of(command),
                Map.of("LC_ALL", "C.UTF-8"),
                null,
                "a test",
                null,
                mode,
                new TerminalSize(rows, cols),
                null,
                storedBytes,
                512L << 10,
                Duration.ofSeconds(120),
                Actor.user("tester"))));
    }

    void type(String taskId, String keys) {
        await(tasks.stdin(taskId, keys.getBytes(StandardCharsets.UTF_8), Actor.user("tester")));
    }

    void resize(String taskId, int rows, int cols) {
        await(tasks.resize(taskId, new TerminalSize(rows, cols), Actor.user("tester")));
    }

    /** The screen as soon as it shows this: looked at after each frame that comes. */
    ScreenAt until(String taskId, Predicate<ScreenAt> shows) {
        var seen = new CompletableFuture<ScreenAt>();
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(seen::completeExceptionally);
        follower.handler(frame -> screens.now(taskId)
                .onFailure(seen::completeExceptionally)
                .onSuccess(at -> {
                    if (shows.test(at)) {
                        seen.complete(at);
                    }
                }));
        try {
            return seen.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "the screen is " + await(screens.now(taskId)).screen().text(), e);
        } finally {
            follower.cancel();
        }
    }

    ScreenAt untilText(String taskId, String text) {
        return until(taskId, at -> at.screen().text().contains(text));
    }

    /** All frames of a task that ends. */
    List<Frame> frames(String taskId) {
        return frames(taskId, frame -> frame.body() instanceof ToolTaskStatus status && status.ending() != null);
    }

    /** All up to the first of these. */
    List<Frame> frames(String taskId, Predicate<Frame> last) {
        var frames = new ArrayList<Frame>();
        var done = new CompletableFuture<List<Frame>>();
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(done::completeExceptionally);
        follower.handler(frame -> {
            frames.add(frame);
            if (last.test(frame)) {
                done.complete(frames);
            }
        });
        try {
            return done.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not end: " + frames.size() + " frames", e);
        } finally {
            follower.cancel();
        }
    }

    @Override
    public void close() {
        await(pumps.stop());
        await(screens.close());
        await(vertx.close());
        artifacts.close();
    }
}
