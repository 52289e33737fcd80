package io.penstock.engine.screen;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task's screen that is kept ready; operations on it run one at a time. */
final class ScreenSlot {

    private Future<?> last = Future.succeededFuture();
    private int pending;
    private long wantedUntilNanos = System.nanoTime();
    private long usedAtNanos = System.nanoTime();

    /** Used only by the operation that runs. */
    @Nullable
    ScreenReplay replay;

    /** Memory of the replay when it was last advanced. */
    volatile long replayBytes;

    /** Cells of the open replay's screen; 0 if there is none. For the operation that runs. */
    int cells() {
        ScreenReplay open = replay;
        return open == null ? 0 : open.cells();
    }

    /** The last computed screen, valid until the next frame. */
    volatile @Nullable CachedScreen cached;

    synchronized <T> Future<T> next(Supplier<Future<T>> work) {
        pending++;
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
                pending--;
            }
        });
    }

    synchronized void setRequested() {
        usedAtNanos = System.nanoTime();
        wantedUntilNanos = usedAtNanos + TimeUnit.SECONDS.toNanos(Screens.READY_SECONDS);
    }

    /** Later viewers can use the screen. */
    synchronized void written() {
        usedAtNanos = System.nanoTime();
    }

    synchronized long usedAtNanos() {
        return usedAtNanos;
    }

    /** Whether a client has requested it recently; otherwise it is only advanced for its keyframes. */
    synchronized boolean isWanted() {
        return wantedUntilNanos - System.nanoTime() > 0;
    }

    /** Whether it has not been used since then and no operation is pending. */
    synchronized boolean isIdleSince(long nanos) {
        return isIdle() && usedAtNanos - nanos <= 0;
    }

    /** Whether it can be evicted. */
    synchronized boolean isIdle() {
        return pending == 0;
    }
}
