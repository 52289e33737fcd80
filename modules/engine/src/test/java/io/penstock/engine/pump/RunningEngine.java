package io.penstock.engine.pump;

import static io.penstock.testbed.Await.await;

import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.artifact.ArtifactService;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameListener;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.policy.PolicyVerticle;
import io.penstock.engine.session.Lanes;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.engine.view.DeltaReader;
import io.penstock.engine.view.InlineText;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Real programs and artifacts with a log in memory: the engine without its ledger. */
public final class RunningEngine implements AutoCloseable {

    public final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    public final FrameLog log;
    public final ArtifactStore artifacts;
    public final TaskApi tasks;
    public final AgentApi agents;
    public final SessionApi sessions;
    private final PumpDeployment pumps;
    private boolean stopped;

    public RunningEngine(Path folder) {
        this(folder, MemoryFrameLog::new);
    }

    public RunningEngine(Path folder, Supplier<Policy> policy) {
        this(folder, MemoryFrameLog::new, policy);
    }

    RunningEngine(Path folder, Function<Vertx, FrameLog> log) {
        this(folder, log, () -> Policy.LOCAL);
    }

    RunningEngine(Path folder, Function<Vertx, FrameLog> log, Supplier<Policy> policy) {
        this(folder, log, policy, Quotas.DEFAULT);
    }

    public RunningEngine(Path folder, Quotas quotas) {
        this(folder, MemoryFrameLog::new, () -> Policy.LOCAL, quotas);
    }

    RunningEngine(Path folder, Function<Vertx, FrameLog> log, Supplier<Policy> policy, Quotas quotas) {
        this(folder, log, policy, quotas, new NativeSpawner(Optional.empty()));
    }

    RunningEngine(Path folder, Function<Vertx, FrameLog> log, Supplier<Policy> policy, Quotas quotas, Spawner spawner) {
        this(folder, log, policy, quotas, spawner, List.of(), AgentProfiles.NONE, UsageSampler.off());
    }

    /** @param listeners hear all frames */
    public RunningEngine(Path folder, List<FrameListener.Source> listeners) {
        this(
                folder,
                MemoryFrameLog::new,
                () -> Policy.LOCAL,
                Quotas.DEFAULT,
                new NativeSpawner(Optional.empty()),
                listeners,
                AgentProfiles.NONE,
                UsageSampler.off());
    }

    /** @param usage measures what the tasks' processes use; all other engines record nothing of that */
    RunningEngine(Path folder, UsageSampler usage) {
        this(
                folder,
                MemoryFrameLog::new,
                () -> Policy.LOCAL,
                Quotas.DEFAULT,
                new NativeSpawner(Optional.empty()),
                List.of(),
                AgentProfiles.NONE,
                usage);
    }

    /** @param agents the agent programs that may be run */
    public RunningEngine(Path folder, Supplier<Policy> policy, Quotas quotas, AgentProfiles agents) {
        this(
                folder,
                MemoryFrameLog::new,
                policy,
                quotas,
                new NativeSpawner(Optional.empty()),
                List.of(),
                agents,
                UsageSampler.off());
    }

    private RunningEngine(
            Path folder,
            Function<Vertx, FrameLog> makeLog,
            Supplier<Policy> policy,
            Quotas quotas,
            Spawner spawner,
            List<FrameListener.Source> listeners,
            AgentProfiles profiles,
            UsageSampler usage) {
        artifacts = ArtifactStore.open(folder.resolve("artifacts"));
        log = makeLog.apply(vertx);
        // Lists are tested elsewhere; with another log than that in memory, they are empty here.
        var index = log instanceof MemoryFrameLog memory ? memory : new MemoryFrameLog(vertx);
        await(PolicyVerticle.serve(vertx.eventBus(), policy));
        await(ArtifactService.serve(vertx, artifacts));
        sessions = await(SessionApi.deploy(vertx, log, index, System::currentTimeMillis));
        pumps = await(PumpDeployment.start(
                vertx,
                listeners.isEmpty() ? log : new ListenedLog(log, listeners),
                index,
                sessions,
                artifacts,
                spawner,
                policy,
                quotas,
                false,
                new DescriptorBudget(),
                folder,
                folder,
                profiles,
                usage));
        pumps.lanes().open();
        tasks = pumps.tasks();
        agents = pumps.agents();
    }

    public String spawn(Wanted task) {
        return await(tasks.spawn(task.request()));
    }

    /** All frames up to the first match, with the text of output. */
    public List<Frame> until(String taskId, Predicate<Frame> last) {
        var frames = Collections.synchronizedList(new ArrayList<Frame>());
        var done = new CompletableFuture<List<Frame>>();
        DeltaReader text = tasks.deltaReader(InlineText.FULL, false);
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(done::completeExceptionally);
        follower.handler(frame -> {
            try {
                Frame shown = text.withText(frame);
                frames.add(shown);
                if (last.test(shown)) {
                    // A copy, since more frames may come before the follower is cancelled.
                    done.complete(List.copyOf(frames));
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

    public List<Frame> toTheEnd(String taskId) {
        return until(taskId, RunningEngine::isEnd);
    }

    /** The frames of a task after it has ended, without the text of output. */
    public List<Frame> ended(String taskId) {
        return recordedUntil(taskId, RunningEngine::isEnd);
    }

    /** All frames up to the first match, without the text of output. */
    public List<Frame> recordedUntil(String taskId, Predicate<Frame> last) {
        var frames = Collections.synchronizedList(new ArrayList<Frame>());
        var done = new CompletableFuture<List<Frame>>();
        FrameFollower follower = tasks.follow(taskId, 0);
        follower.exceptionHandler(done::completeExceptionally);
        follower.handler(frame -> {
            frames.add(frame);
            if (last.test(frame)) {
                done.complete(List.copyOf(frames));
            }
        });
        try {
            return done.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("saw " + frames, e);
        } finally {
            follower.cancel();
        }
    }

    private static boolean isEnd(Frame frame) {
        return frame.body() instanceof ToolTaskStatus status && status.ending() != null;
    }

    /** All stored bytes of an output. */
    public byte[] stored(String taskId, Channel channel) {
        try {
            return artifacts.find(taskId + "." + channel.wireName()).read(0, 16 << 20);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public TaskState state(String taskId) {
        return await(tasks.state(taskId));
    }

    Lanes lanes() {
        return pumps.lanes();
    }

    /** Stops as a server does: waits for the ends of all tasks. */
    public void stop() {
        stopped = true;
        await(pumps.stop());
    }

    /** Stops first, since what ends last asks verticles that Vert.x would undeploy at the same time. */
    @Override
    public void close() {
        if (!stopped) {
            stop();
        }
        await(vertx.close());
        artifacts.close();
    }
}
