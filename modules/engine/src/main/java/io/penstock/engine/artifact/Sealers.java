package io.penstock.engine.artifact;

import io.penstock.engine.address.Contexts;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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

    /** The work on an artifact, done by one thread at a time. */
    interface Work {
        /** Reads a bounded piece that the writer has stored. */
        void follow(GrowingArtifact growing) throws IOException;

        /** Whether all bytes are read, including a second reading that the end may require. */
        default boolean isWhole(GrowingArtifact growing) {
            return growing.toDigest() == 0;
        }

        /** Seals an artifact whose bytes are all read and that gets no more. */
        Sealed end(GrowingArtifact growing) throws IOException;
    }

    /** The state of a growing artifact here; guarded by the lock of the sealers. */
    static final class Turn {
        private boolean taken;
        private @Nullable Promise<Void> near;
        private @Nullable Promise<Sealed> end;
    }

    /** The number of short ends before a long piece; together they take about as long as one piece. */
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

    /** Queues an artifact that has grown. */
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

    /** Completes once at most {@link Limits#ARTIFACT_UNDIGESTED_BYTES} are undigested, on the caller's context if it has one. */
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
        return Contexts.onCallers(near.future());
    }

    private static boolean isNear(GrowingArtifact growing) {
        return growing.toDigest() <= Limits.ARTIFACT_UNDIGESTED_BYTES;
    }

    /** Seals an artifact that gets no more bytes; completes on a thread of the sealers. */
    Future<Sealed> seal(GrowingArtifact growing) {
        lock.lock();
        try {
            if (growing.turn.end != null) {
                return growing.turn.end.future();
            }
            if (closed) {
                return Future.failedFuture(
                        new IllegalStateException("The artifact store is closed: " + growing.id() + " stays unsealed"));
            }
            Promise<Sealed> end = Promise.promise();
            growing.turn.end = end;
            queue(growing);
            return end.future();
        } finally {
            lock.unlock();
        }
    }

    /** Queues the artifact, unless it is queued already or a thread works on it, which puts it back. */
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
                // Errors too, because all other artifacts need this thread.
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

    /** Fails a requested seal. Otherwise the next append tries again, and the writer does not wait. */
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

    /** Completes requested seals, within the time that a shutdown allows. */
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
