package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Real programs in real terminals, their outputs in files, and a log in memory. */
final class ScreenGround implements AutoCloseable {

    final Vertx vertx;
    final ArtifactStore artifacts;
    final FrameLog log;
    final TaskApi tasks;
    Screens screens;
    private final RunningEngine engine;

    ScreenGround(Path folder) {
        var updater = new ScreenUpdater();
        engine = new RunningEngine(folder, List.of(updater));
        vertx = engine.vertx;
        artifacts = engine.artifacts;
        log = engine.log;
        tasks = engine.tasks;
        screens = Screens.open(vertx, log, artifacts, updater);
    }

    /** The state after a restart: no screen is ready, and no terminal is known. */
    void forgetScreens() {
        await(screens.close());
        screens = Screens.open(vertx, log, artifacts, new ScreenUpdater());
    }

    String spawn(int rows, int cols, String... command) {
        return spawn(ExecutionMode.PTY, rows, cols, 256L << 20, command);
    }

    String spawn(ExecutionMode mode, int rows, int cols, long storedBytes, String... command) {
        return await(tasks.spawn(TaskRequest.builder("bash", List.of(command), Actor.user("tester"))
                .args(new JsonText("{\"rows\":" + rows + ",\"cols\":" + cols + "}"))
                .environment(Map.of("LC_ALL", "C.UTF-8"))
                .title("a test")
                .mode(mode)
                .size(new TerminalSize(rows, cols))
                .artifactMaxBytes(storedBytes)
                .timeout(Duration.ofSeconds(120))
                .keep(Keep.HEAD)
                .build()));
    }

    void type(String taskId, String keys) {
        await(tasks.apply(
                new TaskCommand.WriteInput(taskId, keys.getBytes(StandardCharsets.UTF_8), Actor.user("tester"))));
    }

    void resize(String taskId, int rows, int cols) {
        await(tasks.apply(new TaskCommand.Resize(taskId, new TerminalSize(rows, cols), Actor.user("tester"))));
    }

    /** The first screen that matches; checked after each new frame. */
    ScreenSnapshot until(String taskId, Predicate<ScreenSnapshot> shows) {
        var seen = new CompletableFuture<ScreenSnapshot>();
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(seen::completeExceptionally);
        follower.handler(frame -> screens.now(taskId, () -> false)
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
                    "the screen is "
                            + await(screens.now(taskId, () -> false)).screen().text(),
                    e);
        } finally {
            follower.cancel();
        }
    }

    ScreenSnapshot untilText(String taskId, String text) {
        return until(taskId, at -> at.screen().text().contains(text));
    }

    /** All frames of a task, which must end. */
    List<Frame> frames(String taskId) {
        return engine.ended(taskId);
    }

    /** All frames up to the first match. */
    List<Frame> frames(String taskId, Predicate<Frame> last) {
        return engine.recordedUntil(taskId, last);
    }

    @Override
    public void close() {
        engine.stop();
        await(screens.close());
        engine.close();
    }
}
