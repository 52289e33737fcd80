package io.penstock.engine.artifact;

import io.penstock.frames.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that follow the writers with digests and line indexes, and end the artifacts. An artifact is with one of
 * them at a time. Ends that need little reading go first, a few at a time; the others take turns.
 */
final class Sealers implements AutoCloseable {

    /** What is done with an artifact, by one thread at a time. */
    interface Work {
        /** Follows the writer for a bounded piece. */
        void follow(GrowingArtifact growing) throws IOException;

        /** Whether everything is followed, also what its end makes necessary. */
        default boolean isWhole(GrowingArtifact growing) {
            return growing.toDigest() == 0;
        }

        /** Everything is followed and nothing will come. */
        Sealed end(GrowingArtifact growing) throws IOException;
    }

    /** Where a growing artifact stands here; under the lock of the sealers. */
    static final class Turn {
        private boolean taken;
        private @Nullable Promise<Void> near;
        private @Nullable Promise<Sealed> end;
    }

    /** Short ends that go before a long piece gets its turn: together they take about as long as one. */
    private static final int SHORT_IN_A_ROW = 16;

    private static final int SHORT_BYTES = 256 * 1024;
    private static final long CLOSE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(Sealers.class);

    private final Work work;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition waiting = lock.newCondition();
    private final ArrayDeque<GrowingArtifact> shortEnds = new ArrayDeque<>();
    private final ArrayDeque<GrowingArtifact> turns = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();
    private int shortInARow;
    private boolean closed;

    Sealers(int count, Work work) {
        this.work = work;
        for (int i = 0; i < count; i++) {
            threads.add(
                    Thread.ofPlatform().name("artifact-sealer-" + i).daemon().start(this::run));
        }
    }

    /** There is a piece to follow. */
    void chase(GrowingArtifact growing) {
        lock.lock();
        try {
            if (!closed) {
                queue(growing);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Completes once no more than {@link Limits#ARTIFACT_UNDIGESTED_BYTES} are to be followed; on the context that asks, if there is one. */
    Future<Void> near(GrowingArtifact growing) {
        Promise<Void> near;
        lock.lock();
        try {
            if (closed || isNear(growing)) {
                return Future.succeededFuture();
            }
            near = growing.turn.near == null ? Promise.promise() : growing.turn.near;
            growing.turn.near = near;
            queue(growing);
        } finally {
            lock.unlock();
        }
        return onCallersContext(near.future());
    }

    private static boolean isNear(GrowingArtifact growing) {
        return growing.toDigest() <= Limits.ARTIFACT_UNDIGESTED_BYTES;
    }

    /** There will be no more; answered on the context that asks, if there is one. */
    Future<Sealed> seal(GrowingArtifact growing) {
        Promise<Sealed> end = Promise.promise();
        lock.lock();
        try {
            if (closed) {
                return Future.failedFuture(
                        new IllegalStateException("The artifact store is closed: " + growing.id() + " stays unsealed"));
            }
            growing.turn.end = end;
            queue(growing);
        } finally {
            lock.unlock();
        }
        return onCallersContext(end.future());
    }

    private static <T> Future<T> onCallersContext(Future<T> future) {
        Context caller = Vertx.currentContext();
        if (caller == null) {
            return future;
        }
        Promise<T> there = Promise.promise();
        future.onComplete(result -> caller.runOnContext(turn -> there.handle(result)));
        return there.future();
    }

    /** Unless it is queued, or with a thread, which puts it back. */
    private void queue(GrowingArtifact growing) {
        if (growing.turn.taken) {
            return;
        }
        growing.turn.taken = true;
        if (growing.turn.end != null && growing.toDigest() <= SHORT_BYTES) {
            shortEnds.addLast(growing);
        } else {
            turns.addLast(growing);
        }
        waiting.signal();
    }

    private void run() {
        while (true) {
            GrowingArtifact growing = next();
            if (growing == null) {
                return;
            }
            Promise<Sealed> end = growing.turn.end;
            try {
                work.follow(growing);
                if (end != null && work.isWhole(growing)) {
                    end.complete(work.end(growing));
                } else {
                    putBack(growing);
                }
            } catch (IOException | RuntimeException | Error e) {
                // Also an error: this thread is needed by all the others.
                LOG.error("Following artifact {} failed", growing.id(), e);
                giveUp(growing, e);
            }
        }
    }

    private @Nullable GrowingArtifact next() {
        lock.lock();
        try {
            while (true) {
                boolean shortFirst = shortInARow < SHORT_IN_A_ROW || turns.isEmpty();
                GrowingArtifact growing = shortFirst ? shortEnds.pollFirst() : null;
                shortInARow = growing == null ? 0 : shortInARow + 1;
                if (growing == null) {
                    growing = turns.pollFirst();
                }
                if (growing != null || closed) {
                    return growing;
                }
                waiting.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void putBack(GrowingArtifact growing) {
        Promise<Void> near = null;
        lock.lock();
        try {
            growing.turn.taken = false;
            if (growing.turn.end != null || growing.toDigest() >= GrowingArtifact.CHASE_BYTES && !closed) {
                queue(growing);
            }
            if (closed || isNear(growing)) {
                near = growing.turn.near;
                growing.turn.near = null;
            }
        } finally {
            lock.unlock();
        }
        if (near != null) {
            near.complete();
        }
    }

    /** Tried again when the writer calls again, for whom it is no reason to wait; an end that was asked for fails. */
    private void giveUp(GrowingArtifact growing, Throwable cause) {
        Promise<Sealed> end;
        Promise<Void> near;
        lock.lock();
        try {
            growing.turn.taken = false;
            end = growing.turn.end;
            near = growing.turn.near;
            growing.turn.near = null;
        } finally {
            lock.unlock();
        }
        if (near != null) {
            near.complete();
        }
        if (end != null) {
            end.tryFail(cause);
        }
    }

    /** Ends what was asked to end, for as long as that may take at a shutdown. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.signalAll();
        } finally {
            lock.unlock();
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            for (Thread thread : threads) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (!thread.join(Duration.ofMillis(Math.max(1, left)))) {
                    LOG.warn("An artifact is not sealed after {} s; it stays as it is", CLOSE_SECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
