package io.penstock.engine.log.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Prepares the next segment ahead and deletes released ones, on one thread, so that no appender waits for the disk. */
final class SegmentKeeper {
    private static final System.Logger LOG = System.getLogger(SegmentKeeper.class.getName());
    private static final long FIRST_RETRY_MS = 100;
    /** Room freed by other programs is noticed within this time; room freed by a release, at once. */
    private static final long LONGEST_RETRY_MS = 5_000;

    private final SegmentFiles files;
    private final Runnable prepared;
    private final Thread thread;
    private final Deque<Segment> released = new ArrayDeque<>();
    private long nextBase;
    private @Nullable Segment next;
    private @Nullable String trouble;
    private long retryMs = FIRST_RETRY_MS;
    private long retryAtNanos;
    private boolean closing;

    SegmentKeeper(SegmentFiles files, long nextBase, Runnable prepared) {
        this.files = files;
        this.nextBase = nextBase;
        this.prepared = prepared;
        this.retryAtNanos = System.nanoTime();
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("journal-segments " + files.directory())
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The prepared segment, or null if there is none yet. */
    synchronized @Nullable Segment takePrepared() {
        Segment taken = next;
        if (taken != null) {
            next = null;
            nextBase = taken.end;
            notifyAll();
        }
        return taken;
    }

    synchronized boolean ready() {
        return next != null;
    }

    synchronized void delete(Segment segment) {
        released.add(segment);
        retryMs = FIRST_RETRY_MS;
        retryAtNanos = System.nanoTime();
        notifyAll();
    }

    /** Why there is no next segment, or null if nothing is wrong. */
    synchronized @Nullable String trouble() {
        return trouble;
    }

    /** Stops the thread after it has finished its current work. */
    void close() {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (next != null) {
                next.unmap();
                next = null;
            }
        }
    }

    private void run() {
        while (true) {
            Segment removed;
            long base;
            synchronized (this) {
                while (!closing && released.isEmpty() && !isDue()) {
                    pause();
                }
                removed = released.poll();
                if (removed == null && closing) {
                    return;
                }
                base = nextBase;
            }
            if (removed != null) {
                remove(removed);
            } else {
                prepare(base);
            }
        }
    }

    private void remove(Segment segment) {
        segment.unmap();
        try {
            Files.deleteIfExists(segment.file);
        } catch (IOException e) {
            // The next opening finds it drained and deletes it; until then it only takes up space.
            LOG.log(System.Logger.Level.WARNING, "cannot delete the released segment " + segment.file, e);
        }
    }

    private boolean isDue() {
        return next == null && System.nanoTime() - retryAtNanos >= 0;
    }

    private void pause() {
        try {
            if (next == null) {
                wait(Math.max(1, (retryAtNanos - System.nanoTime()) / 1_000_000 + 1));
            } else {
                wait();
            }
        } catch (InterruptedException e) {
            // Nothing interrupts this thread; close() stops it.
            Thread.interrupted();
        }
    }

    private void prepare(long base) {
        try {
            Segment made = files.create(base);
            made.touch();
            synchronized (this) {
                next = made;
                trouble = null;
                retryMs = FIRST_RETRY_MS;
                retryAtNanos = System.nanoTime();
            }
            prepared.run();
        } catch (IOException | RuntimeException | InternalError e) {
            // The JVM turns a SIGBUS into an InternalError.
            synchronized (this) {
                trouble = "The next journal segment cannot be created in " + files.directory() + ": "
                        + JournalOpening.cause(e) + "; appends continue when there is room.";
                retryAtNanos = System.nanoTime() + retryMs * 1_000_000;
                retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
            }
        }
    }
}
