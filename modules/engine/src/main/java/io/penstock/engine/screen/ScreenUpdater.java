package io.penstock.engine.screen;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advances the screens of terminals as they are written to: wanted screens closely, all others at larger distances and once their
 * tasks are quiet. It uses at most a third of one processor, so it may fall behind a flood of costly output and catch up later.
 */
public final class ScreenUpdater implements FrameListener.Source {

    private static final Logger log = LoggerFactory.getLogger(ScreenUpdater.class);

    /** The updater rests this many times as long as it worked. */
    private static final int REST_FACTOR = 2;

    /** Most of the output that a flood writes meanwhile can be skipped, because it is emulated in one piece. */
    private static final long MIN_REST_MS = 10;

    /** Time without output after which an unwanted screen is advanced. */
    private static final long QUIET_MS = 100;

    private final LinkedHashSet<String> behind = new LinkedHashSet<>();
    private final Set<TaskUpdates> notQuiet = new HashSet<>();

    /** The recent changes of live terminals, by task. */
    private final Map<String, RecentChanges> terminals = new ConcurrentHashMap<>();

    private volatile @Nullable Vertx vertx;
    private volatile @Nullable Screens screens;
    private boolean busy;
    private boolean stopped;

    void start(Vertx vertx, Screens screens) {
        this.vertx = vertx;
        this.screens = screens;
    }

    synchronized void stop() {
        stopped = true;
        behind.clear();
        notQuiet.clear();
    }

    @Override
    public FrameListener of(StreamId stream) {
        return stream.kind() == StreamKind.TASK ? new TaskUpdates(stream.id()) : frame -> {};
    }

    /** Listens to one task, on the task's own thread. */
    private final class TaskUpdates implements FrameListener {
        private final String taskId;
        private final RecentChanges changes = new RecentChanges();
        private boolean terminal;
        private long totalWritten;

        // Also read by the timer that waits for quiet.
        private volatile long written;
        private volatile long requestedUpTo;
        private volatile boolean awaitsQuiet;

        /** Value of {@code written} at the last check for quiet; used by the timer only. */
        private long writtenBefore;

        TaskUpdates(String taskId) {
            this.taskId = taskId;
        }

        @Override
        public void accepted(Frame frame) {
            if (!terminal && provesTerminal(frame.body())) {
                terminals.put(taskId, changes);
                terminal = true;
            }
            if (!terminal) {
                return;
            }
            changes.accept(frame);
            if (frame.body() instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
                wrote(delta.bytes());
            } else if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                terminals.remove(taskId);
            }
        }

        /** Output proves it as well as the first frame, which an earlier server wrote if the task was queued since then. */
        private static boolean provesTerminal(FrameBody body) {
            return body instanceof ToolTaskSpawned spec && spec.executionMode() == ExecutionMode.PTY
                    || body instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY;
        }

        /** Whether nothing was written since the last call. */
        boolean isQuiet() {
            long before = writtenBefore;
            writtenBefore = written;
            return writtenBefore == before;
        }

        void advancing() {
            awaitsQuiet = false;
            requestedUpTo = writtenBefore;
        }

        private void wrote(int bytes) {
            totalWritten += bytes;
            written = totalWritten;
            long unseen = totalWritten - requestedUpTo;
            Screens known = screens;
            if (unseen < Limits.SCREEN_BEHIND_BYTES || known == null) {
                return;
            }
            if (unseen >= Limits.SCREEN_UNWANTED_BYTES || known.isWanted(taskId)) {
                requestedUpTo = totalWritten;
                request(taskId);
            } else if (!awaitsQuiet) {
                awaitsQuiet = true;
                awaitQuiet(this);
            }
        }
    }

    private void awaitQuiet(TaskUpdates written) {
        Vertx on = vertx;
        synchronized (this) {
            boolean waits = !notQuiet.isEmpty();
            if (stopped || on == null || !notQuiet.add(written) || waits) {
                return;
            }
        }
        on.setTimer(QUIET_MS, later -> checkQuiet(on));
    }

    private void checkQuiet(Vertx on) {
        var quiet = new ArrayList<TaskUpdates>();
        synchronized (this) {
            for (TaskUpdates each : notQuiet) {
                if (each.isQuiet()) {
                    quiet.add(each);
                }
            }
            quiet.forEach(notQuiet::remove);
            if (!notQuiet.isEmpty()) {
                on.setTimer(QUIET_MS, later -> checkQuiet(on));
            }
        }
        for (TaskUpdates each : quiet) {
            each.advancing();
            request(each.taskId);
        }
    }

    /** The changes of a live terminal's screen from this frame on; empty if the log has to be read. */
    List<RecentChanges.Change> since(String taskId, long seq) {
        RecentChanges changes = terminals.get(taskId);
        return changes == null ? List.of() : changes.since(seq);
    }

    /** Bytes of a live terminal's stored output; -1 if unknown. */
    long written(String taskId) {
        RecentChanges changes = terminals.get(taskId);
        return changes == null ? -1 : changes.written();
    }

    /** A live terminal's frames between two, inclusive, that are not output; null if the log has to be read. */
    @Nullable
    List<Frame> nonOutputFrames(String taskId, long fromSeq, long lastSeq) {
        RecentChanges changes = terminals.get(taskId);
        return changes == null ? null : changes.nonOutputFrames(fromSeq, lastSeq);
    }

    /** Queues a task's screen to be advanced. */
    void request(String taskId) {
        synchronized (this) {
            if (stopped || !behind.add(taskId) || busy) {
                return;
            }
            busy = true;
        }
        next();
    }

    private void next() {
        String taskId;
        synchronized (this) {
            if (behind.isEmpty()) {
                busy = false;
                return;
            }
            taskId = behind.removeFirst();
        }
        Screens all = screens;
        Vertx on = vertx;
        if (all == null || on == null) {
            return;
        }
        all.advanceOneTurn(taskId).onComplete(advanced -> {
            if (advanced.failed()) {
                log.warn("Cannot advance the screen of task {}: {}", taskId, String.valueOf(advanced.cause()));
            } else if (advanced.result().more()) {
                synchronized (this) {
                    if (!stopped) {
                        behind.add(taskId);
                    }
                }
            }
            long workedMs = advanced.succeeded()
                    ? TimeUnit.NANOSECONDS.toMillis(advanced.result().workedNanos())
                    : 0;
            on.setTimer(Math.max(MIN_REST_MS, REST_FACTOR * workedMs), rested -> next());
        });
    }
}
