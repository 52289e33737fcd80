package io.penstock.engine.log.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Prepares the next segment ahead and deletes released ones, on one thread, so that no appender waits for a disk. */
final class SegmentKeeper {
    private static final System.Logger LOG = System.getLogger(SegmentKeeper.class.getName());
    private static final long FIRST_RETRY_MS = 100;
    /** Room that others make on the disk is noticed within this; room made by releasing is noticed at once. */
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

    /** The prepared segment, or null where there is none yet. */
    synchronized @Nullable Segment take() {
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

    /** Why there is no next segment, or null where nothing is wrong. */
    synchronized @Nullable String trouble() {
        return trouble;
    }

    /** Ends the thread; what it was at is finished first. */
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
            Segment gone;
            long base;
            synchronized (this) {
                while (!closing && released.isEmpty() && !due()) {
                    pause();
                }
                gone = released.poll();
                if (gone == null && closing) {
                    return;
                }
                base = nextBase;
            }
            if (gone != null) {
                remove(gone);
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
            // It is found drained and deleted at the next opening; until then it only takes room.
            LOG.log(System.Logger.Level.WARNING, "cannot delete the released segment " + segment.file, e);
        }
    }

    private boolean due() {
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
            // Nobody interrupts this thread; its end is asked for by close().
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
            // InternalError is what the JVM makes of a SIGBUS.
            synchronized (this) {
                trouble = "The next journal segment cannot be made in " + files.directory() + ": "
                        + JournalOpening.cause(e) + "; appends go on when there is room.";
                retryAtNanos = System.nanoTime() + retryMs * 1_000_000;
                retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
            }
        }
    }
}
