package io.penstock.engine.log;

import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one way into the journal: writes pass one at a time, under one lock, wait in order where there is no room, and are
 * accepted when the journal has them as safely as the setting asks.
 */
final class JournalGate {

    private final Object lock = new Object();
    private final Journal journal;
    private final boolean acceptedWhenForced;
    private final ByteWriter record = new ByteWriter();
    private final HeldBack held = new HeldBack();
    private Runnable afterWrite = () -> {};
    private long written;
    private long lastPosition;
    private volatile @Nullable Failure refusal;

    JournalGate(Journal journal, Fsync fsync) {
        this.journal = journal;
        this.acceptedWhenForced = switch (fsync) {
            case Fsync.Always _ -> true;
            case Fsync.Interval _, Fsync.Never _ -> false;
        };
        journal.onRoom(this::letIn);
    }

    /** Has the drain woken after every acceptance. */
    void afterWrite(Runnable listener) {
        afterWrite = listener;
    }

    /** Guards what changes together with the journal. */
    Object lock() {
        return lock;
    }

    /** Records below are accepted; no reader may see others. */
    long acceptedPosition() {
        return acceptedWhenForced ? journal.durablePosition() : journal.tail();
    }

    int waiting() {
        synchronized (lock) {
            return held.size();
        }
    }

    @Nullable
    Failure refusal() {
        return refusal;
    }

    /** Writes now, or when there is room. Completes when the write is accepted. */
    <T> Future<T> write(Write<T> write) {
        return write(write, null);
    }

    /** As the other; the followers of the stream are woken when it is accepted. */
    <T> Future<T> write(Write<T> write, @Nullable StreamEntry entry) {
        synchronized (lock) {
            if (held.isEmpty()) {
                Future<T> accepted = attempt(write, entry);
                if (accepted != null) {
                    return accepted;
                }
            }
            if (entry == null ? held.isFull() : entry.waiting >= Limits.WAITING_APPENDS_PER_STREAM) {
                return Future.failedFuture(LogFailures.backlogged(entry == null ? null : entry.stream));
            }
            return held.add(write, entry);
        }
    }

    /** Null where there is no room. */
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
            // Those that wait meet the same at their next try, which the journal asks for when it fails.
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
            return acceptedLater(result, entry);
        }
        tell(entry);
        return Future.succeededFuture(result);
    }

    private <T> Future<T> acceptedLater(T result, @Nullable StreamEntry entry) {
        Promise<T> promise = Promise.promise();
        journal.whenDurable(
                lastPosition,
                () -> {
                    tell(entry);
                    promise.complete(result);
                },
                e -> promise.fail(LogFailures.broken(String.valueOf(e.getMessage()), e)));
        return onCallersContext(promise.future());
    }

    /** The same outcome, told on the context that the caller is on, if it is on one. */
    static <T> Future<T> onCallersContext(Future<T> future) {
        Context context = Vertx.currentContext();
        if (context == null) {
            return future;
        }
        Promise<T> told = Promise.promise();
        future.onComplete(done -> context.runOnContext(v -> told.handle(done)));
        return told.future();
    }

    private void tell(@Nullable StreamEntry entry) {
        if (entry != null) {
            for (FrameFollower follower : entry.followers) {
                follower.wake();
            }
        }
        afterWrite.run();
    }

    /** For a {@link Write}: fills the record and gives it to the journal. Negative where there is no room. */
    long append(Consumer<ByteWriter> form) {
        form.accept(record);
        long position = journal.append(record.array(), 0, record.length());
        if (position >= 0) {
            written++;
            lastPosition = position;
        }
        return position;
    }

    /** Of the record that the last append was given. For a {@link Write}. */
    int lastRecordBytes() {
        return record.length();
    }

    private void letIn() {
        List<Runnable> toTell;
        synchronized (lock) {
            toTell = held.retry(this);
        }
        toTell.forEach(Runnable::run);
    }

    /** From here on every write is refused, those that wait too. */
    void refuse(Failure why) {
        List<Runnable> toTell = List.of();
        synchronized (lock) {
            if (refusal == null) {
                refusal = why;
                toTell = held.failAll(why);
            }
        }
        toTell.forEach(Runnable::run);
    }
}
