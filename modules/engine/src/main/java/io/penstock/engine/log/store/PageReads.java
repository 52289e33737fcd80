package io.penstock.engine.log.store;

import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.drain.LogRecord;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads pages from the journal or the database: the journal has the newest frames, the database the drained ones, and
 * the border moves during a read.
 */
final class PageReads {

    private final StreamIndex index;
    private final JournalGate gate;
    private final Journal journal;
    private final LedgerReads reads;

    PageReads(StreamIndex index, JournalGate gate, Journal journal, LedgerReads reads) {
        this.index = index;
        this.gate = gate;
        this.journal = journal;
        this.reads = reads;
    }

    Future<Page> page(StreamId stream, long fromSeq, int maxFrames) {
        long[] positions;
        synchronized (gate.lock()) {
            StreamEntry entry = index.get(stream);
            if (entry == null) {
                return readDrained(stream, fromSeq, maxFrames);
            }
            long toSeq = Math.min(fromSeq + maxFrames, entry.visibleSeq(gate.acceptedPosition()));
            List<Frame> recent = entry.tail.read(fromSeq, toSeq);
            if (recent != null) {
                return Future.succeededFuture(new Page(recent, toSeq));
            }
            if (!entry.isHeld(fromSeq)) {
                return reads.page(stream, entry.streamNo, fromSeq, entry.drainedSeq - 1, maxFrames);
            }
            long count = toSeq - fromSeq;
            if (count <= 0) {
                return Future.succeededFuture(new Page(List.of(), fromSeq));
            }
            positions = entry.positions(fromSeq, (int) count);
        }
        List<Frame> frames;
        try {
            frames = readJournal(stream, positions);
        } catch (JournalUnavailable | Failure e) {
            return Future.failedFuture(LogFailures.broken(String.valueOf(e.getMessage()), e));
        }
        return frames.isEmpty()
                ? readReleased(stream, fromSeq, maxFrames)
                : Future.succeededFuture(new Page(frames, fromSeq + frames.size()));
    }

    /** The journal has just released these frames, so the database has them. */
    private Future<Page> readReleased(StreamId stream, long fromSeq, int maxFrames) {
        synchronized (gate.lock()) {
            StreamEntry entry = index.get(stream);
            return entry == null
                    ? readDrained(stream, fromSeq, maxFrames)
                    : reads.page(stream, entry.streamNo, fromSeq, entry.drainedSeq - 1, maxFrames);
        }
    }

    Future<Long> nextSeq(StreamId stream) {
        synchronized (gate.lock()) {
            StreamEntry entry = index.get(stream);
            if (entry != null) {
                return Future.succeededFuture(entry.visibleSeq(gate.acceptedPosition()));
            }
        }
        return reads.find(stream)
                .compose(
                        located -> located == null ? reads.missing(stream) : Future.succeededFuture(located.nextSeq()));
    }

    /** A stream that is not in use is entirely in the database. */
    private Future<Page> readDrained(StreamId stream, long fromSeq, int maxFrames) {
        return reads.number(stream)
                .compose(streamNo -> streamNo == null
                        ? reads.missing(stream)
                        : reads.page(stream, streamNo, fromSeq, Long.MAX_VALUE, maxFrames));
    }

    /** The frames at these positions, up to the first that the journal has released. */
    private List<Frame> readJournal(StreamId stream, long[] positions) {
        var frames = new ArrayList<Frame>(positions.length);
        for (long position : positions) {
            byte[] record = journal.read(position);
            if (record == null) {
                break;
            }
            if (!(LogRecord.read(record, record.length) instanceof LogRecord.Framed framed)) {
                throw new IllegalStateException("The journal has no frame of " + stream + " at " + position);
            }
            frames.add(LedgerReads.frame(stream, framed.seq(), framed.timestampMs(), framed.type(), framed.body()));
        }
        return frames;
    }
}
