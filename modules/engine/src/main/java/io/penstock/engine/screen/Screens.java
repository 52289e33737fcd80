package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The screens of tasks that have a terminal: the current one, and the one right after any frame. A screen is computed on request, from
 * the nearest keyframe before; one that was recently requested or much written to is kept ready. May be called from any thread.
 */
public final class Screens {

    /** Emulation is CPU-bound, and other work needs the processors too. */
    private static final int WORKERS = 2;

    /** How long a screen is kept ready after a request. */
    static final long READY_SECONDS = 60;

    private static final long CLEANUP_MS = 10_000;

    /** Time to store keyframes of ready screens when the server stops; the next start can do without them. */
    private static final long SAVE_SECONDS = 2;

    /** Fewer in a small heap. */
    private static final long READY_BYTES =
            Math.min(Limits.SCREENS_READY_BYTES, Runtime.getRuntime().maxMemory() / 8);

    private final Vertx vertx;
    private final FrameLog log;
    private final ArtifactStore artifacts;
    private final WorkerExecutor workers;
    private final FairScheduler turns;
    private final ScreenUpdater updater;
    private final Map<String, ScreenSlot> ready = new ConcurrentHashMap<>();
    private final long cleanupTimer;
    private volatile boolean closed;
    private volatile long saveUntilNanos;

    private Screens(Vertx vertx, FrameLog log, ArtifactStore artifacts, ScreenUpdater updater) {
        this.vertx = vertx;
        this.log = log;
        this.artifacts = artifacts;
        this.updater = updater;
        this.workers = vertx.createSharedWorkerExecutor("penstock-screens", WORKERS);
        this.turns = new FairScheduler(workers, WORKERS, System::nanoTime);
        this.cleanupTimer = vertx.setPeriodic(CLEANUP_MS, now -> evictIdle(TimeUnit.SECONDS.toNanos(READY_SECONDS)));
    }

    /** @param updater listens to the tasks' output and advances the ready screens, and so their keyframes */
    public static Screens open(Vertx vertx, FrameLog log, ArtifactStore artifacts, ScreenUpdater updater) {
        var screens = new Screens(vertx, log, artifacts, updater);
        updater.start(vertx, screens);
        return screens;
    }

    /**
     * The current screen: after all frames that exist at the time of the call, and maybe some more. It does not wait for frames that
     * arrive during the computation, as they may arrive faster than they are emulated.
     *
     * @param hasLeft whether the caller has left, which abandons the work; called on any thread
     */
    public Future<ScreenSnapshot> now(String taskId, BooleanSupplier hasLeft) {
        return current(taskId, hasLeft).map(cached -> cached.snapshot);
    }

    /** The current screen as escape sequences, with at most this many lines of scrollback. */
    public Future<RenderedScreen> rendered(String taskId, int historyLines, BooleanSupplier hasLeft) {
        return current(taskId, hasLeft)
                .compose(cached -> cached.rendered(
                        historyLines,
                        () -> turns.next(
                                taskId,
                                FairScheduler.Cause.REQUESTED,
                                cached.snapshot.cells(),
                                () -> RenderedScreen.of(cached.snapshot, historyLines))));
    }

    private Future<CachedScreen> current(String taskId, BooleanSupplier hasLeft) {
        return TerminalSpec.nextSeq(log, taskId).compose(nextSeq -> {
            ScreenSlot screen = ready(taskId);
            screen.setRequested();
            CachedScreen cached = screen.cached;
            // The cached screen is current: answer without waiting for a turn or a worker.
            return cached != null && cached.snapshot.seq() >= nextSeq - 1
                    ? Future.succeededFuture(cached)
                    : screen.next(() -> advance(taskId, screen, nextSeq - 1, hasLeft)
                            .compose(replay -> cache(taskId, screen, replay)));
        });
    }

    private Future<CachedScreen> cache(String taskId, ScreenSlot screen, ScreenReplay replay) {
        CachedScreen cached = screen.cached;
        return cached != null && cached.snapshot.seq() == replay.nextSeq() - 1
                ? Future.succeededFuture(cached)
                : turns.next(
                                taskId,
                                FairScheduler.Cause.REQUESTED,
                                replay.cells(),
                                () -> new CachedScreen(replay.now()))
                        .onSuccess(now -> screen.cached = now);
    }

    /** Bytes of a terminal's stored output by now; -1 if the task has to be asked. */
    public long written(String taskId) {
        return updater.written(taskId);
    }

    /**
     * The frames between two, inclusive, that are not output: everything that a screen does not show. Null if they are not in memory and
     * the log has to be read.
     */
    public @Nullable List<Frame> nonOutputFrames(String taskId, long fromSeq, long lastSeq) {
        return updater.nonOutputFrames(taskId, fromSeq, lastSeq);
    }

    /** The screen right after a frame. Checks first that the frame exists: otherwise a flood would be replayed as long as it lasts. */
    public Future<ScreenSnapshot> at(String taskId, long seq, BooleanSupplier hasLeft) {
        return terminal(taskId)
                .compose(terminal -> log.nextSeq(terminal.stream()).compose(nextSeq -> {
                    if (seq >= nextSeq) {
                        throw new Failure(
                                FailureCode.INVALID_REQUEST,
                                "The task " + taskId + " has no frame " + seq + "; its last is " + (nextSeq - 1));
                    }
                    return turns.next(
                            taskId,
                            FairScheduler.Cause.REQUESTED,
                            terminal.size().cells(),
                            () -> ScreenReplay.before(terminal, artifact(terminal), seq));
                }))
                .compose(replay -> advance(replay, seq, hasLeft))
                .compose(replay -> turn(replay, hasLeft, replay::now));
    }

    /**
     * A task as a recording, up to its last frame by now.
     *
     * @param withInput whether it includes typed input, as far as that is recorded
     */
    public Future<CastRecording> recording(String taskId, CastFormat format, boolean withInput) {
        return TerminalSpec.nextSeq(log, taskId)
                .compose(endSeq -> CastRecording.of(vertx, log, artifacts, taskId, format, withInput, endSeq));
    }

    /** Drops the screen from memory because the task's output was deleted. */
    public void forget(String taskId) {
        ready.remove(taskId);
    }

    /** Whether a client has requested the screen recently. */
    boolean isWanted(String taskId) {
        ScreenSlot screen = ready.get(taskId);
        return screen != null && screen.isWanted();
    }

    /**
     * The result of one turn of advancing a screen.
     *
     * @param more whether there may be more to do
     * @param workedNanos worker time used
     */
    record Advanced(boolean more, long workedNanos) {
        static final Advanced NOTHING = new Advanced(false, 0);
    }

    /** Advances a task's screen by one turn and stores keyframes on the way. */
    Future<Advanced> advanceOneTurn(String taskId) {
        ScreenSlot screen = ready(taskId);
        screen.written();
        return screen.next(() -> advanceOneTurn(taskId, screen));
    }

    /** The slots are bounded in number and bytes; unwanted screens are evicted first, then the least recently used. */
    private ScreenSlot ready(String taskId) {
        ScreenSlot screen = ready.computeIfAbsent(taskId, id -> new ScreenSlot());
        while (exceedsLimits() && evictOneExcept(screen)) {
            // Until there is room, or all others are in use.
        }
        return screen;
    }

    private boolean exceedsLimits() {
        long bytes = 0;
        for (ScreenSlot each : ready.values()) {
            CachedScreen cached = each.cached;
            bytes += each.replayBytes + (cached == null ? 0 : cached.bytes);
        }
        return ready.size() > Limits.SCREENS_READY || bytes > READY_BYTES;
    }

    private boolean evictOneExcept(ScreenSlot screen) {
        Optional<Map.Entry<String, ScreenSlot>> oldest = ready.entrySet().stream()
                .filter(entry -> entry.getValue() != screen && entry.getValue().isIdle())
                .min(Comparator.comparing((Map.Entry<String, ScreenSlot> entry) ->
                                entry.getValue().isWanted())
                        .thenComparingLong(entry -> entry.getValue().usedAtNanos()));
        oldest.ifPresent(entry -> evict(entry.getKey(), entry.getValue()));
        return oldest.isPresent();
    }

    private void evictIdle(long idleNanos) {
        long since = System.nanoTime() - idleNanos;
        ready.forEach((taskId, screen) -> {
            if (screen.isIdleSince(since)) {
                evict(taskId, screen);
            }
        });
    }

    /** Stores a keyframe first if the screen took some work to compute. */
    private void evict(String taskId, ScreenSlot screen) {
        if (ready.remove(taskId, screen)) {
            screen.next(() -> turns.next(taskId, FairScheduler.Cause.REQUESTED, screen.cells(), () -> {
                ScreenReplay replay = screen.replay;
                if (replay != null && (!closed || System.nanoTime() - saveUntilNanos < 0)) {
                    replay.saveKeyframe();
                }
                screen.replay = null;
                screen.cached = null;
                return taskId;
            }));
        }
    }

    private Future<ScreenReplay> replay(String taskId, ScreenSlot screen, FairScheduler.Cause cause) {
        ScreenReplay open = screen.replay;
        return open != null
                ? Future.succeededFuture(open)
                : terminal(taskId)
                        .compose(terminal -> turns.next(
                                taskId,
                                cause,
                                terminal.size().cells(),
                                () -> ScreenReplay.fromLastKeyframe(terminal, artifact(terminal))))
                        .onSuccess(opened -> screen.replay = opened)
                        .onFailure(e -> ready.remove(taskId, screen));
    }

    /** Advances to a frame, or past it. */
    private Future<ScreenReplay> advance(String taskId, ScreenSlot screen, long lastSeq, BooleanSupplier hasLeft) {
        return replay(taskId, screen, FairScheduler.Cause.REQUESTED)
                .compose(replay -> AsyncLoop.of(() -> playRecent(taskId, screen, replay, lastSeq, hasLeft))
                        .compose(played -> advance(replay, lastSeq, hasLeft))
                        .onSuccess(here -> keep(screen, here))
                        .onFailure(e -> dropReplay(screen, e)));
    }

    private static void keep(ScreenSlot screen, ScreenReplay replay) {
        screen.replay = replay.isOutdated() ? null : replay;
        screen.replayBytes = replay.isOutdated() ? 0 : replay.bytes();
    }

    /** After a failure the replay's position is unknown, unless it was abandoned between two turns. */
    private static void dropReplay(ScreenSlot screen, Throwable cause) {
        if (!(cause instanceof ScreenAbandoned)) {
            screen.replay = null;
        }
    }

    /** One turn of recent changes, which may lead past the requested frame; returns whether there is more to do. */
    private Future<Boolean> playRecent(
            String taskId, ScreenSlot screen, ScreenReplay replay, long lastSeq, BooleanSupplier hasLeft) {
        List<RecentChanges.Change> changes =
                replay.nextSeq() > lastSeq ? List.of() : updater.since(taskId, replay.nextSeq());
        return changes.isEmpty()
                ? Future.succeededFuture(false)
                : turn(replay, hasLeft, () -> {
                    replay.playChanges(changes, Limits.SCREEN_UNWANTED_BYTES);
                    screen.replayBytes = replay.bytes();
                    boolean complete = replay.nextSeq() > lastSeq && !replay.isBehind();
                    if (complete) {
                        // Take the screen in this turn: another trip to a worker takes long while processors are busy.
                        screen.cached = new CachedScreen(replay.now());
                    }
                    return !complete;
                });
    }

    /** Replays page by page up to a frame, or to the last one. */
    private Future<ScreenReplay> advance(ScreenReplay replay, long lastSeq, BooleanSupplier hasLeft) {
        return AsyncLoop.of(() -> playPage(replay, lastSeq, hasLeft)).map(done -> replay);
    }

    private Future<Boolean> playPage(ScreenReplay replay, long lastSeq, BooleanSupplier hasLeft) {
        long left = lastSeq + 1 - replay.nextSeq();
        if (left <= 0) {
            return play(replay, List.of(), hasLeft).map(done -> false);
        }
        return log.read(replay.terminal().stream(), replay.nextSeq(), (int) Math.min(left, Limits.PAGE_FRAMES))
                .compose(page -> play(replay, page.frames(), hasLeft)
                        .map(done -> !page.frames().isEmpty()));
    }

    /** Takes turns until the screen after the last of these frames is complete. */
    private Future<Void> play(ScreenReplay replay, List<Frame> frames, BooleanSupplier hasLeft) {
        var played = new AtomicInteger();
        return AsyncLoop.of(() -> played.get() == frames.size() && !replay.isBehind()
                ? Future.succeededFuture(false)
                : turn(replay, hasLeft, () -> {
                    List<Frame> left = frames.subList(played.get(), frames.size());
                    played.addAndGet(replay.play(left, Limits.SCREEN_UNWANTED_BYTES));
                    return true;
                }));
    }

    private <T extends Object> Future<T> turn(ScreenReplay replay, BooleanSupplier hasLeft, Callable<T> work) {
        if (closed || hasLeft.getAsBoolean()) {
            return Future.failedFuture(new ScreenAbandoned());
        }
        return turns.next(replay.terminal().stream().id(), FairScheduler.Cause.REQUESTED, replay.cells(), work);
    }

    /** One background turn, which keeps a ready screen up to date. */
    private Future<Advanced> advanceOneTurn(String taskId, ScreenSlot screen) {
        return replay(taskId, screen, FairScheduler.Cause.BACKGROUND).compose(replay -> {
            List<RecentChanges.Change> changes = updater.since(taskId, replay.nextSeq());
            Future<Advanced> advanced = !changes.isEmpty() || replay.isBehind()
                    ? backgroundTurn(
                            replay, () -> replay.playChanges(changes, Limits.SCREEN_UNWANTED_BYTES) < changes.size())
                    : log.read(replay.terminal().stream(), replay.nextSeq(), Limits.PAGE_FRAMES)
                            .compose(page -> page.frames().isEmpty()
                                    ? Future.succeededFuture(Advanced.NOTHING)
                                    : backgroundTurn(replay, () -> {
                                        replay.play(page.frames(), Limits.SCREEN_UNWANTED_BYTES);
                                        return true;
                                    }));
            return advanced.onSuccess(done -> keep(screen, replay)).onFailure(e -> dropReplay(screen, e));
        });
    }

    private Future<Advanced> backgroundTurn(ScreenReplay replay, Callable<Boolean> work) {
        return turns.next(replay.terminal().stream().id(), FairScheduler.Cause.BACKGROUND, replay.cells(), () -> {
            long startedAt = System.nanoTime();
            boolean more = work.call();
            return new Advanced(more || replay.isBehind(), System.nanoTime() - startedAt);
        });
    }

    private Future<TerminalSpec> terminal(String taskId) {
        return TerminalSpec.find(log, taskId);
    }

    private Artifact artifact(TerminalSpec terminal) {
        return terminal.artifact(artifacts);
    }

    /** Stores keyframes worth keeping within {@link #SAVE_SECONDS}, then closes; running work is abandoned after its turn. */
    public Future<Void> close() {
        saveUntilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SAVE_SECONDS);
        closed = true;
        vertx.cancelTimer(cleanupTimer);
        updater.stop();
        var all = ready.entrySet().stream().map(entry -> {
            evict(entry.getKey(), entry.getValue());
            return entry.getValue().next(() -> Future.succeededFuture());
        });
        return Future.join(all.toList()).transform(done -> workers.close());
    }
}
