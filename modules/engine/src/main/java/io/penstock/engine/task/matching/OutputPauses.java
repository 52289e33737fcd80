package io.penstock.engine.task.matching;

import io.penstock.frames.Channel;
import io.vertx.core.Vertx;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Notices when a task has written something and then nothing for a moment. Lives on its shard's context. */
final class OutputPauses {

    /** Longer than a program takes from one write to the next, and shorter than a person notices. */
    private static final long PAUSE_MS = 100;

    private final Vertx vertx;
    private final BooleanSupplier isHeld;
    private final Predicate<Channel> paused;
    private final Set<Channel> written = EnumSet.noneOf(Channel.class);
    private long wroteNanos;
    private long timer = -1;
    private boolean armed;

    /**
     * @param isHeld whether the task is not read, so that nothing is known of its pauses
     * @param paused is called once for each pause, for each channel that was written to; returns whether to forget it
     */
    OutputPauses(Vertx vertx, BooleanSupplier isHeld, Predicate<Channel> paused) {
        this.vertx = vertx;
        this.isHeld = isHeld;
        this.paused = paused;
    }

    /** Called for each piece of output, so it starts a timer only if none runs. */
    void wrote(Channel channel) {
        wroteNanos = System.nanoTime();
        written.add(channel);
        if (!armed) {
            arm(PAUSE_MS);
        }
    }

    void stop() {
        written.clear();
        vertx.cancelTimer(timer);
    }

    private void arm(long ms) {
        armed = true;
        timer = vertx.setTimer(ms, t -> timeIsUp());
    }

    private void timeIsUp() {
        armed = false;
        long quietMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - wroteNanos);
        if (quietMs >= PAUSE_MS && !isHeld.getAsBoolean()) {
            written.removeIf(paused);
        }
        if (!written.isEmpty()) {
            arm(Math.max(1, quietMs < PAUSE_MS ? PAUSE_MS - quietMs : PAUSE_MS));
        }
    }
}
