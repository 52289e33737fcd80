package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Rounds;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The screens of tasks that have a terminal: as they are now, and right after any frame. They are made when somebody asks, from
 * the nearest keyframe before; one that was asked for or much written to of late is kept ready. May be called from any thread.
 */
public final class Screens {

    /** Emulation is work for a processor, and there are others who need one. */
    private static final int WORKERS = 2;

    /** For how long a screen is kept ready after somebody has asked for it. */
    static final long READY_SECONDS = 60;

    private static final long CLEANING_MS = 10_000;

    /** Output that a worker goes through before it is another screen's turn: some milliseconds of it. */
    private static final long TURN_BYTES = Limits.SCREEN_UNWANTED_BYTES;

    private final Vertx vertx;
    private final FrameLog log;
    private final ArtifactStore artifacts;
    private final WorkerExecutor workers;
    private final ScreenKeeper keeper;
    private final Map<String, TaskScreen> ready = new ConcurrentHashMap<>();
    private final long cleaning;

    private Screens(Vertx vertx, FrameLog log, ArtifactStore artifacts, ScreenKeeper keeper) {
        this.vertx = vertx;
        this.log = log;
        this.artifacts = artifacts;
        this.keeper = keeper;
        this.workers = vertx.createSharedWorkerExecutor("penstock-screens", WORKERS);
        this.cleaning = vertx.setPeriodic(CLEANING_MS, now -> clean(TimeUnit.SECONDS.toNanos(READY_SECONDS)));
    }

    /** @param keeper hears what is written, and has screens that are kept ready, and keyframes, follow it */
    public static Screens open(Vertx vertx, FrameLog log, ArtifactStore artifacts, ScreenKeeper keeper) {
        var screens = new Screens(vertx, log, artifacts, keeper);
        keeper.begin(vertx, screens);
        return screens;
    }

    /**
     * The screen as it is now: after all frames that there are when it is asked for, and maybe some more. Those that come while it is
     * made are not waited for, as they may come faster than it is made.
     */
    public Future<ScreenAt> now(String taskId) {
        return madeNow(taskId).map(made -> made.at);
    }

    /** The same for a terminal, with at most so many lines above it: what is not seen any more, and is scrolled back to. */
    public Future<DrawnScreen> drawn(String taskId, int historyLines) {
        return madeNow(taskId)
                .compose(made -> made.drawn(historyLines, () -> onWorker(() -> DrawnScreen.of(made.at, historyLines))));
    }

    private Future<MadeScreen> madeNow(String taskId) {
        return TaskTerminal.nextSeq(log, taskId).compose(nextSeq -> {
            TaskScreen screen = ready(taskId);
            screen.asked();
            MadeScreen made = screen.made;
            // Before whose turn it is, and without a worker: nothing has happened since somebody asked last.
            return made != null && made.at.seq() >= nextSeq - 1
                    ? Future.succeededFuture(made)
                    : screen.next(() -> advance(taskId, screen, nextSeq - 1, Long.MAX_VALUE, true)
                            .compose(tape -> made(screen, tape)));
        });
    }

    private Future<MadeScreen> made(TaskScreen screen, ScreenTape tape) {
        MadeScreen made = screen.made;
        return made != null && made.at.seq() == tape.nextSeq() - 1
                ? Future.succeededFuture(made)
                : onWorker(() -> new MadeScreen(tape.now())).onSuccess(now -> screen.made = now);
    }

    /** How much output of a terminal there is by now, as far as it is stored; -1 where its task has to be asked. */
    public long written(String taskId) {
        return keeper.written(taskId);
    }

    /**
     * The frames from one to another, with both, that are no output: all that happened beside what a screen stands for. Null where they
     * are not in memory, and the log has to be asked.
     */
    public @Nullable List<Frame> beside(String taskId, long fromSeq, long lastSeq) {
        return keeper.beside(taskId, fromSeq, lastSeq);
    }

    /** The screen right after a frame. Whether there is one is asked first: a flood would be gone through for as long as it lasts. */
    public Future<ScreenAt> at(String taskId, long seq) {
        return terminal(taskId)
                .compose(terminal -> log.nextSeq(terminal.stream()).compose(nextSeq -> {
                    if (seq >= nextSeq) {
                        throw new Failure(
                                FailureCode.INVALID_REQUEST,
                                "The task " + taskId + " has no frame " + seq + "; its last is " + (nextSeq - 1));
                    }
                    return onWorker(() -> ScreenTape.before(terminal, artifact(terminal), seq));
                }))
                .compose(tape -> advance(tape, seq, Long.MAX_VALUE))
                .compose(tape -> onWorker(tape::now));
    }

    /**
     * A task as a recording, up to the last frame that there is now.
     *
     * @param withInput whether what was typed is in it, as far as it is recorded
     */
    public Future<CastRecording> recording(String taskId, CastFormat format, boolean withInput) {
        return TaskTerminal.nextSeq(log, taskId)
                .compose(endSeq -> CastRecording.of(vertx, log, artifacts, taskId, format, withInput, endSeq));
    }

    /** Whether somebody has asked for it of late. */
    boolean isWanted(String taskId) {
        TaskScreen screen = ready.get(taskId);
        return screen != null && screen.isWanted();
    }

    /** Leads a task's screen on by about so many bytes, and leaves keyframes on the way; says whether there may be more to do. */
    Future<Boolean> leadOn(String taskId, long mostBytes) {
        TaskScreen screen = ready(taskId);
        screen.written();
        return screen.next(() -> {
            ScreenTape begun = screen.tape;
            long from = begun == null ? 0 : begun.offset();
            return advance(taskId, screen, Long.MAX_VALUE - 1, mostBytes, false)
                    .map(tape -> tape.offset() - from >= mostBytes);
        });
    }

    /** There is a bounded number of them, and of their bytes: first those go that nobody has asked for, then whoever was asked for longest ago. */
    private TaskScreen ready(String taskId) {
        TaskScreen screen = ready.computeIfAbsent(taskId, id -> new TaskScreen());
        while (areTooMany() && letGoOfOneBeside(screen)) {
            // Until there is room, or all others are in use.
        }
        return screen;
    }

    private boolean areTooMany() {
        long bytes = 0;
        for (TaskScreen each : ready.values()) {
            MadeScreen made = each.made;
            bytes += made == null ? 0 : made.bytes;
        }
        return ready.size() > Limits.SCREENS_READY || bytes > Limits.SCREENS_READY_BYTES;
    }

    private boolean letGoOfOneBeside(TaskScreen screen) {
        Optional<Map.Entry<String, TaskScreen>> oldest = ready.entrySet().stream()
                .filter(entry -> entry.getValue() != screen && entry.getValue().isIdle())
                .min(Comparator.comparing((Map.Entry<String, TaskScreen> entry) ->
                                entry.getValue().isWanted())
                        .thenComparingLong(entry -> entry.getValue().usedAtNanos()));
        oldest.ifPresent(entry -> letGo(entry.getKey(), entry.getValue()));
        return oldest.isPresent();
    }

    private void clean(long idleNanos) {
        long since = System.nanoTime() - idleNanos;
        ready.forEach((taskId, screen) -> {
            if (screen.isIdleSince(since)) {
                letGo(taskId, screen);
            }
        });
    }

    /** What it took some work to make is kept as a keyframe. */
    private void letGo(String taskId, TaskScreen screen) {
        if (ready.remove(taskId, screen)) {
            screen.next(() -> onWorker(() -> {
                ScreenTape tape = screen.tape;
                if (tape != null) {
                    tape.keep();
                }
                screen.tape = null;
                screen.made = null;
                return taskId;
            }));
        }
    }

    /** @param awaited whether somebody waits for the screen as it is then */
    private Future<ScreenTape> advance(
            String taskId, TaskScreen screen, long lastSeq, long mostBytes, boolean awaited) {
        ScreenTape begun = screen.tape;
        Future<ScreenTape> tape = begun != null
                ? Future.succeededFuture(begun)
                : terminal(taskId)
                        .compose(terminal -> onWorker(() -> ScreenTape.keeping(terminal, artifact(terminal))))
                        .onFailure(e -> ready.remove(taskId, screen));
        return tape.compose(here -> {
            screen.tape = here;
            return playHeard(taskId, screen, here, mostBytes, awaited)
                    .compose(bytes -> advance(here, lastSeq, mostBytes - bytes))
                    // Nobody knows how far it came.
                    .onFailure(e -> screen.tape = null);
        });
    }

    /** As far as it was heard, which is past the frame that somebody asked for, if anything came since. */
    private Future<Long> playHeard(String taskId, TaskScreen screen, ScreenTape tape, long mostBytes, boolean awaited) {
        List<Heard.Change> heard = keeper.since(taskId, tape.nextSeq());
        long begun = tape.offset();
        return heard.isEmpty()
                ? Future.succeededFuture(0L)
                : onWorker(() -> {
                            int played = tape.playHeard(heard, mostBytes);
                            if (awaited) {
                                // Here already: the way to a worker and back is long where processors are busy.
                                screen.made = new MadeScreen(tape.now());
                            }
                            return played;
                        })
                        .map(played -> tape.offset() - begun);
    }

    /** Page after page, up to a frame, or as far as there are any. */
    private Future<ScreenTape> advance(ScreenTape tape, long lastSeq, long mostBytes) {
        long begun = tape.offset();
        return Rounds.of(() -> playPage(tape, lastSeq, mostBytes - (tape.offset() - begun)))
                .map(done -> tape);
    }

    private Future<Boolean> playPage(ScreenTape tape, long lastSeq, long mostBytes) {
        long left = lastSeq + 1 - tape.nextSeq();
        if (left <= 0 || mostBytes <= 0) {
            return Future.succeededFuture(false);
        }
        return log.read(tape.terminal().stream(), tape.nextSeq(), (int) Math.min(left, Limits.PAGE_FRAMES))
                .compose(page -> page.frames().isEmpty()
                        ? Future.succeededFuture(false)
                        : play(tape, page.frames(), mostBytes).map(bytes -> true));
    }

    /** Turn after turn, since others wait for a worker too; completes with how many bytes of output it has gone through. */
    private Future<Long> play(ScreenTape tape, List<Frame> frames, long mostBytes) {
        long begun = tape.offset();
        return onWorker(() -> frames.subList(tape.play(frames, Math.min(mostBytes, TURN_BYTES)), frames.size()))
                .compose(left -> {
                    long bytes = tape.offset() - begun;
                    return left.isEmpty() || bytes >= mostBytes
                            ? Future.succeededFuture(bytes)
                            : play(tape, left, mostBytes - bytes).map(more -> bytes + more);
                });
    }

    private Future<TaskTerminal> terminal(String taskId) {
        return TaskTerminal.find(log, taskId);
    }

    private Artifact artifact(TaskTerminal terminal) {
        return terminal.artifact(artifacts);
    }

    private interface Work<T> {
        T run() throws Exception;
    }

    private <T extends Object> Future<T> onWorker(Work<T> work) {
        return workers.executeBlocking(() -> work.run(), false).map(Objects::requireNonNull);
    }

    /** Keeps what is worth it, and ends. */
    public Future<Void> close() {
        vertx.cancelTimer(cleaning);
        keeper.end();
        var all = ready.entrySet().stream().map(entry -> {
            letGo(entry.getKey(), entry.getValue());
            return entry.getValue().next(() -> Future.succeededFuture());
        });
        return Future.join(all.toList()).transform(done -> workers.close());
    }
}
