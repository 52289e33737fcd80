package io.penstock.engine.screen;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task's screen that is kept ready: what is done with it happens one after the other. */
final class TaskScreen {

    private Future<?> last = Future.succeededFuture();
    private int underWay;
    private long wantedUntilNanos = System.nanoTime();
    private long usedAtNanos = System.nanoTime();

    /** Of whoever's turn it is. */
    @Nullable
    ScreenTape tape;

    /** As it was made last, for whoever asks before anything else happens. */
    volatile @Nullable MadeScreen made;

    synchronized <T> Future<T> next(Supplier<Future<T>> work) {
        underWay++;
        Future<T> done = last.transform(before -> {
            try {
                return work.get();
            } catch (RuntimeException e) {
                return Future.failedFuture(e);
            }
        });
        last = done;
        return done.onComplete(over -> {
            synchronized (this) {
                underWay--;
            }
        });
    }

    synchronized void asked() {
        usedAtNanos = System.nanoTime();
        wantedUntilNanos = usedAtNanos + TimeUnit.SECONDS.toNanos(Screens.READY_SECONDS);
    }

    /** It is of use to who comes later. */
    synchronized void written() {
        usedAtNanos = System.nanoTime();
    }

    synchronized long usedAtNanos() {
        return usedAtNanos;
    }

    /** Whether somebody has asked for it of late, so that it is more than a keyframe being made. */
    synchronized boolean isWanted() {
        return wantedUntilNanos - System.nanoTime() > 0;
    }

    /** Whether it was of no use to anybody since then, and nothing is done with it. */
    synchronized boolean isIdleSince(long nanos) {
        return isIdle() && usedAtNanos - nanos <= 0;
    }

    /** Whether it can be let go of. */
    synchronized boolean isIdle() {
        return underWay == 0;
    }
}
