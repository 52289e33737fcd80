package io.penstock.engine.log.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Forces written records to the disk in groups, on one thread, and notifies the waiters. */
final class Durability {
    private static final System.Logger LOG = System.getLogger(Durability.class.getName());

    private record Waiter(long position, Runnable durable, Consumer<JournalUnavailable> failed) {}

    private final Journal journal;
    private final Fsync fsync;
    private final @Nullable Thread thread;
    private final Object forcing = new Object();
    private final PriorityQueue<Waiter> waiters = new PriorityQueue<>(Comparator.comparingLong(Waiter::position));
    private @Nullable JournalUnavailable failure;
    private volatile long durable;
    private boolean closing;

    Durability(Journal journal, Fsync fsync, long durable) {
        this.journal = journal;
        this.fsync = fsync;
        this.durable = durable;
        this.thread = fsync instanceof Fsync.Never
                ? null
                : Thread.ofPlatform().daemon().name("journal-fsync").unstarted(this::run);
    }

    void start() {
        if (thread != null) {
            thread.start();
        }
    }

    long position() {
        return fsync instanceof Fsync.Never ? journal.tail() : durable;
    }

    void when(long position, Runnable then, Consumer<JournalUnavailable> failed) {
        if (position >= journal.tail()) {
            throw new IllegalArgumentException(
                    "cannot wait for position " + position + ", the journal ends at " + journal.tail());
        }
        JournalUnavailable broken;
        synchronized (this) {
            broken = failure;
            if (broken == null && position() <= position) {
                waiters.add(new Waiter(position, then, failed));
                notifyAll();
                return;
            }
        }
        if (broken == null) {
            then.run();
        } else {
            failed.accept(broken);
        }
    }

    /** Fails all present and future waiters: nothing more will become durable. */
    void fail(JournalUnavailable broken) {
        List<Waiter> failed;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = broken;
            failed = new ArrayList<>(waiters);
            waiters.clear();
            notifyAll();
        }
        for (Waiter waiter : failed) {
            runCallback(() -> waiter.failed().accept(broken));
        }
    }

    /** Forces everything written so far, then notifies its waiters. */
    void force() {
        synchronized (forcing) {
            long from = durable;
            long to = journal.tail();
            if (from == to) {
                return;
            }
            try {
                for (Segment segment : journal.segments().all()) {
                    if (segment.end > from && segment.base < to) {
                        segment.force(from, to);
                    }
                }
            } catch (IOException | RuntimeException | InternalError e) {
                journal.fail(
                        "The journal in " + journal.directory() + " could not be written to the disk: "
                                + JournalOpening.cause(e)
                                + "; no more records are accepted; check the disk and restart.",
                        e);
                return;
            }
            durable = to;
        }
        while (true) {
            Waiter waiter;
            synchronized (this) {
                waiter = waiters.peek();
                if (waiter == null || waiter.position() >= durable) {
                    return;
                }
                waiters.remove();
            }
            runCallback(waiter.durable());
        }
    }

    /** Stops the thread and forces the rest, whatever the setting; returns the first failure, if there was one. */
    Optional<JournalUnavailable> close(JournalUnavailable closed) {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread != null && thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure().isEmpty()) {
            force();
        }
        Optional<JournalUnavailable> broken = failure();
        fail(closed);
        return broken;
    }

    private synchronized Optional<JournalUnavailable> failure() {
        return Optional.ofNullable(failure);
    }

    private void run() {
        while (awaitWork()) {
            force();
        }
    }

    private synchronized boolean awaitWork() {
        try {
            if (fsync instanceof Fsync.Interval interval) {
                long end = System.nanoTime() + interval.period().toNanos();
                for (long left = 1; left > 0 && !closing && failure == null; left = end - System.nanoTime()) {
                    wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
                }
            } else {
                while (!closing && failure == null && waiters.isEmpty()) {
                    wait();
                }
            }
        } catch (InterruptedException e) {
            // Nothing interrupts this thread; close() stops it.
            Thread.interrupted();
        }
        return !closing && failure == null;
    }

    private static void runCallback(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "a callback of the journal failed", e);
        }
    }
}
