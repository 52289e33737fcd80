package io.penstock.engine.log.store;

import io.penstock.engine.address.Contexts;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The only way into the journal. Writes pass one at a time, under one lock, and wait in order while there is no room. A
 * write is accepted when the journal has it as safely as the fsync setting demands.
 */
public final class JournalGate {

    private final Object lock = new Object();
    private final Journal journal;
    private final boolean acceptedWhenForced;
    private final ByteWriter record = new ByteWriter();
    private final PendingWrites pending = new PendingWrites();
    private Runnable afterWrite = () -> {};
    private long written;
    private long lastPosition;
    private volatile @Nullable Failure refusal;

    public JournalGate(Journal journal, Fsync fsync) {
        this.journal = journal;
        this.acceptedWhenForced = switch (fsync) {
            case Fsync.Always _ -> true;
            case Fsync.Interval _, Fsync.Never _ -> false;
        };
        journal.onRoom(this::retryPending);
    }

    /** Sets the listener to call after every acceptance; it wakes the drain. */
    public void afterWrite(Runnable listener) {
        afterWrite = listener;
    }

    /** Guards everything that changes together with the journal. */
    public Object lock() {
        return lock;
    }

    /** Records below this position are accepted; readers may see no others. */
    public long acceptedPosition() {
        return acceptedWhenForced ? journal.durablePosition() : journal.tail();
    }

    public int waiting() {
        synchronized (lock) {
            return pending.size();
        }
    }

    public @Nullable Failure refusal() {
        return refusal;
    }

    /** Writes now, or when there is room. Completes when the write is accepted. */
    public <T> Future<T> write(Write<T> write) {
        return write(write, null);
    }

    /** Like {@link #write(Write)}; also wakes the stream's followers when the write is accepted. */
    <T> Future<T> write(Write<T> write, @Nullable StreamEntry entry) {
        synchronized (lock) {
            if (pending.isEmpty()) {
                Future<T> accepted = attempt(write, entry);
                if (accepted != null) {
                    return accepted;
                }
            }
            if (entry == null ? pending.isFull() : entry.waiting >= Limits.WAITING_APPENDS_PER_STREAM) {
                return Future.failedFuture(LogFailures.backlogged(entry == null ? null : entry.stream));
            }
            return pending.add(write, entry);
        }
    }

    /** Returns null if there is no room. */
    <T> @Nullable Future<T> attempt(Write<T> write, @Nullable StreamEntry entry) {
        Failure refused = refusal;
        if (refused != null) {
            return Future.failedFuture(refused);
        }
        T result;
        long before = written;
        try {
            result = write.attempt();
        } catch (JournalUnavailable e) {
            // Pending writes fail the same way at their next attempt, which the journal triggers when it fails.
            Failure broken = LogFailures.broken(String.valueOf(e.getMessage()), e);
            refusal = broken;
            return Future.failedFuture(broken);
        } catch (Failure | IllegalArgumentException e) {
            return Future.failedFuture(LogFailures.refused(e));
        }
        if (result == null) {
            return null;
        }
        if (written == before) {
            return Future.succeededFuture(result);
        }
        if (acceptedWhenForced) {
            return whenDurable(result, entry);
        }
        wakeFollowers(entry);
        return Future.succeededFuture(result);
    }

    private <T> Future<T> whenDurable(T result, @Nullable StreamEntry entry) {
        Promise<T> promise = Promise.promise();
        journal.whenDurable(
                lastPosition,
                () -> {
                    wakeFollowers(entry);
                    promise.complete(result);
                },
                e -> promise.fail(LogFailures.broken(String.valueOf(e.getMessage()), e)));
        return Contexts.onCallers(promise.future());
    }

    private void wakeFollowers(@Nullable StreamEntry entry) {
        if (entry != null) {
            for (FrameFollower follower : entry.followers) {
                follower.wake();
            }
        }
        afterWrite.run();
    }

    /** For a {@link Write}: fills the record and appends it to the journal. Negative if there is no room. */
    public long append(Consumer<ByteWriter> encoder) {
        encoder.accept(record);
        long position = journal.append(record.array(), 0, record.length());
        if (position >= 0) {
            written++;
            lastPosition = position;
        }
        return position;
    }

    /** Size of the record that was appended last. For a {@link Write}. */
    int lastRecordBytes() {
        return record.length();
    }

    private void retryPending() {
        List<Runnable> outcomes;
        synchronized (lock) {
            outcomes = pending.retry(this);
        }
        outcomes.forEach(Runnable::run);
    }

    /** Refuses every write from now on, including the pending ones. */
    void refuse(Failure why) {
        List<Runnable> outcomes = List.of();
        synchronized (lock) {
            if (refusal == null) {
                refusal = why;
                outcomes = pending.failAll(why);
            }
        }
        outcomes.forEach(Runnable::run);
    }
}
