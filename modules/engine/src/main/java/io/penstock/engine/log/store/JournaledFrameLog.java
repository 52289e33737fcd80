package io.penstock.engine.log.store;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.drain.DrainGroup;
import io.penstock.engine.log.drain.JournalDrain;
import io.penstock.engine.log.drain.LogRecord;
import io.penstock.engine.log.drain.StreamNumbers;
import io.penstock.engine.log.journal.Journal;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The durable frame log: a frame is accepted when the journal has it, and the drain copies it to Postgres. The log
 * itself holds an entry for each stream in use and, of its frames, only the positions of those that the journal holds.
 */
public final class JournaledFrameLog implements FrameLog, FrameFollower.Source, JournalDrain.Drained {

    private static final Logger log = LoggerFactory.getLogger(JournaledFrameLog.class);

    private final Vertx vertx;
    private final JournalGate gate;
    private final LedgerReads reads;
    private final StreamNumbers numbers;
    private final LongSupplier clockMs;
    private final StreamIndex index = new StreamIndex();
    private final StreamRemoval removal = new StreamRemoval();
    private final PageReads pages;
    private final Journal journal;
    private final Object lock;
    private long heldPosition;
    private volatile boolean closed;

    public JournaledFrameLog(
            Vertx vertx,
            JournalGate gate,
            Journal journal,
            LedgerReads reads,
            StreamNumbers numbers,
            LongSupplier clockMs) {
        this.vertx = vertx;
        this.gate = gate;
        this.journal = journal;
        this.pages = new PageReads(index, gate, journal, reads);
        this.reads = reads;
        this.numbers = numbers;
        this.clockMs = clockMs;
        this.lock = gate.lock();
    }

    @Override
    public Future<StreamWriter> create(StreamId stream) {
        return gate.write(() -> {
            if (index.get(stream) != null) {
                throw LogFailures.exists(stream);
            }
            return newStream(stream);
        });
    }

    @Override
    public Future<StreamWriter> open(StreamId stream) {
        return claim(stream, false);
    }

    @Override
    public Future<StreamWriter> takeOver(StreamId stream) {
        return claim(stream, true);
    }

    private Future<StreamWriter> claim(StreamId stream, boolean takeOver) {
        long removals;
        synchronized (lock) {
            Failure refusal = gate.refusal();
            if (refusal != null) {
                return Future.failedFuture(refusal);
            }
            StreamEntry entry = index.get(stream);
            if (entry != null) {
                return claimUnlessRemoved(entry, takeOver);
            }
            index.lookupBegins(stream);
            removals = removal.finished();
        }
        return reads.find(stream)
                .compose(located -> claimLocated(stream, located, removals, takeOver))
                .onComplete(done -> {
                    synchronized (lock) {
                        index.lookupEnds(stream);
                    }
                });
    }

    private Future<StreamWriter> claimLocated(
            StreamId stream, LedgerReads.@Nullable Located located, long removals, boolean takeOver) {
        synchronized (lock) {
            StreamEntry entry = index.get(stream);
            if (entry != null) {
                return claimUnlessRemoved(entry, takeOver);
            }
            if (located != null && (removal.concerns(located.streamNo()) || removals != removal.finished())) {
                return removal.ended().compose(ended -> claim(stream, takeOver));
            }
            if (located != null) {
                return claim(
                        index.add(new StreamEntry(stream, located.streamNo(), located.nextSeq(), false)), takeOver);
            }
            return gate.write(() -> {
                // Another writer may have begun it while this one waited for room.
                StreamEntry other = index.get(stream);
                return other == null ? newStream(stream) : writer(other, takeOver);
            });
        }
    }

    private Future<StreamWriter> claimUnlessRemoved(StreamEntry entry, boolean takeOver) {
        return removal.concerns(entry.streamNo)
                ? removal.ended().compose(ended -> claim(entry.stream, takeOver))
                : claim(entry, takeOver);
    }

    /**
     * Lets new writers of streams below this number wait until {@link #endRemoval}, and returns the numbers of those that are written
     * already: they must stay.
     */
    public Set<Long> beginRemoval(long belowStreamNo) {
        synchronized (lock) {
            Set<Long> written = index.writtenBelow(belowStreamNo);
            removal.begin(belowStreamNo, written);
            return written;
        }
    }

    /** The streams are removed, or stay. Followers of removed ones end with the failure that says so. */
    public void endRemoval(long belowStreamNo) {
        Promise<Void> end;
        List<FrameFollower> followers;
        synchronized (lock) {
            followers = index.dropReadBelow(belowStreamNo);
            end = removal.end();
        }
        end.complete();
        followers.forEach(FrameFollower::wake);
    }

    private StreamWriter writer(StreamEntry entry, boolean takeOver) {
        if (entry.writer != null && !takeOver) {
            throw LogFailures.hasWriter(entry.stream);
        }
        return writerOf(entry);
    }

    private Future<StreamWriter> claim(StreamEntry entry, boolean takeOver) {
        try {
            return Future.succeededFuture(writer(entry, takeOver));
        } catch (Failure e) {
            return Future.failedFuture(e);
        }
    }

    private @Nullable StreamWriter newStream(StreamId stream) {
        long streamNo = numbers.next(StreamNumbers.dayOfMillis(clockMs.getAsLong()));
        long position = gate.append(out -> LogRecord.writeBegun(out, streamNo, stream));
        return position < 0 ? null : writerOf(index.add(new StreamEntry(stream, streamNo, 0, true)));
    }

    private StreamWriter writerOf(StreamEntry entry) {
        var writer = new JournaledWriter(this, entry);
        entry.writer = writer;
        return writer;
    }

    Future<Frame> append(JournaledWriter writer, StreamEntry entry, long timestampMs, FrameBody written) {
        FrameBody body = LogFailures.recordable(written);
        Future<Frame> accepted = gate.write(
                () -> {
                    if (entry.writer != writer) {
                        throw writer.isReleased()
                                ? LogFailures.released(entry.stream)
                                : LogFailures.fenced(entry.stream);
                    }
                    var frame = new Frame(entry.stream, entry.nextSeq(), timestampMs, body);
                    long position = gate.append(out -> {
                        LogRecord.writeFramed(out, entry.streamNo, frame);
                        if (out.length() > Limits.FRAME_BODY_BYTES) {
                            throw LogFailures.tooLarge(entry.stream, out.length());
                        }
                    });
                    if (position < 0) {
                        return null;
                    }
                    entry.appended(position);
                    if (entry.followers.length > 0) {
                        entry.tail.add(frame, gate.lastRecordBytes());
                    }
                    return frame;
                },
                entry);
        if (!accepted.isComplete()) {
            // The append may be refused when its turn comes, and may have been the last that needed the entry.
            accepted.onFailure(e -> dropIfIdle(entry));
        }
        return accepted;
    }

    private void dropIfIdle(StreamEntry entry) {
        synchronized (lock) {
            index.dropIfIdle(entry);
        }
    }

    void release(JournaledWriter writer, StreamEntry entry) {
        synchronized (lock) {
            if (entry.writer == writer) {
                entry.writer = null;
                entry.forgetDrained();
                index.dropIfIdle(entry);
            }
        }
    }

    long nextSeq(StreamEntry entry) {
        synchronized (lock) {
            return entry.nextSeq() + entry.waiting;
        }
    }

    @Override
    public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
        if (fromSeq < 0 || maxFrames < 1) {
            return Future.failedFuture(LogFailures.badRange(fromSeq, maxFrames));
        }
        if (closed) {
            return Future.failedFuture(LogFailures.closed());
        }
        return pages.page(stream, fromSeq, Math.min(maxFrames, Limits.PAGE_FRAMES));
    }

    @Override
    public Future<Long> nextSeq(StreamId stream) {
        return closed ? Future.failedFuture(LogFailures.closed()) : pages.nextSeq(stream);
    }

    @Override
    public FrameFollower follow(StreamId stream, long fromSeq) {
        return new FrameFollower(this, vertx.getOrCreateContext(), stream, fromSeq);
    }

    @Override
    public void watch(StreamId stream, FrameFollower follower) {
        synchronized (lock) {
            index.watch(stream, follower);
        }
        if (closed) {
            follower.end();
        }
    }

    @Override
    public void unwatch(StreamId stream, FrameFollower follower) {
        synchronized (lock) {
            index.unwatch(stream, follower);
        }
    }

    @Override
    public void drained(DrainGroup group) {
        synchronized (lock) {
            for (LogRecord.Begun begun : group.begun()) {
                StreamEntry entry = index.get(begun.streamNo());
                if (entry != null) {
                    entry.undrainedBeginning = false;
                    index.dropIfIdle(entry);
                }
            }
            for (Map.Entry<Long, Long> next : group.nextSeqs().entrySet()) {
                StreamEntry entry = index.get(next.getKey());
                if (entry != null) {
                    entry.drainedTo(next.getValue());
                    index.dropIfIdle(entry);
                }
            }
            long held = journal.heldPosition();
            if (held != heldPosition) {
                heldPosition = held;
                index.all().forEach(entry -> entry.heldFrom(held));
            }
        }
    }

    /** The writer learns of it at its next append; the name refers to the older stream. */
    @Override
    public void refused(long streamNo) {
        synchronized (lock) {
            StreamEntry entry = index.get(streamNo);
            if (entry != null) {
                log.error(
                        "{} was begun as a new stream, but the database has one of that name: what was appended to the"
                                + " new one is kept as stream number {}, and no further appends to it are accepted",
                        entry.stream,
                        streamNo);
                entry.writer = null;
                entry.forgetDrained();
                index.dropIfIdle(entry);
            }
        }
    }

    @Override
    public void fenced(Failure why) {
        gate.refuse(why);
    }

    /** Streams that have an entry. */
    public int streamsInUse() {
        synchronized (lock) {
            return index.size();
        }
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public Future<Void> close() {
        closed = true;
        gate.refuse(LogFailures.closed());
        List<FrameFollower> followers;
        synchronized (lock) {
            followers = index.allFollowers();
        }
        followers.forEach(FrameFollower::end);
        return Future.succeededFuture();
    }
}
