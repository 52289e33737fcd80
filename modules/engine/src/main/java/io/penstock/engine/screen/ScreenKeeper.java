package io.penstock.engine.screen;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Vertx;
import java.util.LinkedHashSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears how much terminals are written to, and has their screens follow: those that are kept ready closely, of all others a
 * keyframe now and then. It takes a third of one processor at most, so a flood of what takes long may leave it behind, and it catches up afterwards.
 */
public final class ScreenKeeper implements FrameListener.Source {

    private static final Logger log = LoggerFactory.getLogger(ScreenKeeper.class);

    /** It rests twice as long as it worked. */
    private static final int REST = 2;

    private final LinkedHashSet<String> behind = new LinkedHashSet<>();
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
    }

    @Override
    public FrameListener of(StreamId stream) {
        return stream.kind() == StreamKind.TASK ? new Heard(stream.id()) : frame -> {};
    }

    /** Of one task, on the thread that it lives on. */
    private final class Heard implements FrameListener {
        private final String taskId;
        private boolean terminal;
        private long sinceLook;
        private long sinceKeyframe;

        Heard(String taskId) {
            this.taskId = taskId;
        }

        @Override
        public void accepted(Frame frame) {
            if (frame.body() instanceof ToolTaskOutputDelta delta) {
                if (terminal && delta.channel() == Channel.PTY) {
                    wrote(delta.bytes());
                }
            } else if (frame.body() instanceof ToolTaskSpawned spec) {
                terminal = spec.executionMode() == ExecutionMode.PTY;
            }
        }

        private void wrote(int bytes) {
            sinceLook += bytes;
            if (sinceLook < Limits.SCREEN_BEHIND_BYTES) {
                return;
            }
            sinceKeyframe += sinceLook;
            sinceLook = 0;
            Screens all = screens;
            if (all != null && (sinceKeyframe >= Limits.SCREEN_KEYFRAME_BYTES || all.isReady(taskId))) {
                sinceKeyframe = sinceKeyframe >= Limits.SCREEN_KEYFRAME_BYTES ? 0 : sinceKeyframe;
                wants(taskId);
            }
        }
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
        all.leadOn(taskId, Limits.SCREEN_KEYFRAME_BYTES).onComplete(led -> {
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
            on.setTimer(Math.max(1, REST * workedMs), rested -> next());
        });
    }
}
