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
 * Hears how much terminals are written to, and has their screens follow: closely where somebody wants them, all others from afar, and
 * once their tasks are quiet. It takes a third of one processor at most, so a flood of what takes long may leave it behind, and it catches up afterwards.
 */
public final class ScreenKeeper implements FrameListener.Source {

    private static final Logger log = LoggerFactory.getLogger(ScreenKeeper.class);

    /** It rests twice as long as it worked. */
    private static final int REST = 2;

    /** And no less than this: what a flood writes meanwhile is passed over for the most part, if it is told at once. */
    private static final long LEAST_REST_MS = 10;

    /** After this long without output, a screen follows that nobody wants as yet. */
    private static final long QUIET_MS = 100;

    private final LinkedHashSet<String> behind = new LinkedHashSet<>();
    private final Set<Hearing> notQuiet = new HashSet<>();

    /** Of living terminals. */
    private final Map<String, Heard> terminals = new ConcurrentHashMap<>();

    private volatile @Nullable Vertx vertx;
    private volatile @Nullable Screens screens;
    private boolean busy;
    private boolean ended;

    void begin(Vertx vertx, Screens screens) {
        this.vertx = vertx;
        this.screens = screens;
    }

    synchronized void end() {
        ended = true;
        behind.clear();
        notQuiet.clear();
    }

    @Override
    public FrameListener of(StreamId stream) {
        return stream.kind() == StreamKind.TASK ? new Hearing(stream.id()) : frame -> {};
    }

    /** Of one task, on the thread that it lives on. */
    private final class Hearing implements FrameListener {
        private final String taskId;
        private final Heard heard = new Heard();
        private boolean terminal;
        private long all;

        // Also of who waits for quiet.
        private volatile long written;
        private volatile long askedUpTo;
        private volatile boolean awaitsQuiet;

        /** When it was looked for quiet last; of who looks. */
        private long writtenBefore;

        Hearing(String taskId) {
            this.taskId = taskId;
        }

        @Override
        public void accepted(Frame frame) {
            if (!terminal && tellsOfATerminal(frame.body())) {
                terminals.put(taskId, heard);
                terminal = true;
            }
            if (!terminal) {
                return;
            }
            heard.accepted(frame);
            if (frame.body() instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
                wrote(delta.bytes());
            } else if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                terminals.remove(taskId);
            }
        }

        /** Its output does as well as its beginning, which an earlier server wrote where the task has waited for its turn since then. */
        private static boolean tellsOfATerminal(FrameBody body) {
            return body instanceof ToolTaskSpawned spec && spec.executionMode() == ExecutionMode.PTY
                    || body instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY;
        }

        /** Whether nothing was written since this was asked last. */
        boolean isQuiet() {
            long before = writtenBefore;
            writtenBefore = written;
            return writtenBefore == before;
        }

        void isLedOn() {
            awaitsQuiet = false;
            askedUpTo = writtenBefore;
        }

        private void wrote(int bytes) {
            all += bytes;
            written = all;
            long unseen = all - askedUpTo;
            Screens known = screens;
            if (unseen < Limits.SCREEN_BEHIND_BYTES || known == null) {
                return;
            }
            if (unseen >= Limits.SCREEN_UNWANTED_BYTES || known.isWanted(taskId)) {
                askedUpTo = all;
                wants(taskId);
            } else if (!awaitsQuiet) {
                awaitsQuiet = true;
                awaitQuiet(this);
            }
        }
    }

    private void awaitQuiet(Hearing written) {
        Vertx on = vertx;
        synchronized (this) {
            boolean waits = !notQuiet.isEmpty();
            if (ended || on == null || !notQuiet.add(written) || waits) {
                return;
            }
        }
        on.setTimer(QUIET_MS, later -> lookForQuiet(on));
    }

    private void lookForQuiet(Vertx on) {
        var quiet = new ArrayList<Hearing>();
        synchronized (this) {
            for (Hearing each : notQuiet) {
                if (each.isQuiet()) {
                    quiet.add(each);
                }
            }
            quiet.forEach(notQuiet::remove);
            if (!notQuiet.isEmpty()) {
                on.setTimer(QUIET_MS, later -> lookForQuiet(on));
            }
        }
        for (Hearing each : quiet) {
            each.isLedOn();
            wants(each.taskId);
        }
    }

    /** What a living terminal's screen changed by, from this frame on; empty where the log has to be asked. */
    List<Heard.Change> since(String taskId, long seq) {
        Heard heard = terminals.get(taskId);
        return heard == null ? List.of() : heard.since(seq);
    }

    /** How much a living terminal has written, as far as it is stored; -1 where that was not heard. */
    long written(String taskId) {
        Heard heard = terminals.get(taskId);
        return heard == null ? -1 : heard.written();
    }

    /** What a living terminal's task recorded beside its output, from one frame to another; null where the log has to be asked. */
    @Nullable
    List<Frame> beside(String taskId, long fromSeq, long lastSeq) {
        Heard heard = terminals.get(taskId);
        return heard == null ? null : heard.beside(fromSeq, lastSeq);
    }

    /** Has a task's screen led on when it is its turn. */
    void wants(String taskId) {
        synchronized (this) {
            if (ended || !behind.add(taskId) || busy) {
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
        long begun = System.nanoTime();
        all.leadOn(taskId, Limits.SCREEN_UNWANTED_BYTES).onComplete(led -> {
            if (led.failed()) {
                log.warn("The screen of task {} was not led on: {}", taskId, String.valueOf(led.cause()));
            } else if (led.result()) {
                synchronized (this) {
                    if (!ended) {
                        behind.add(taskId);
                    }
                }
            }
            long workedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            on.setTimer(Math.max(LEAST_REST_MS, REST * workedMs), rested -> next());
        });
    }
}
