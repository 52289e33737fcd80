package io.penstock.engine.log;

import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalUnavailable;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/** Reads pages from where they are: the database has what is drained, the journal the rest, and the border moves meanwhile. */
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
                return drained(stream, fromSeq, maxFrames);
            }
            long toSeq = Math.min(fromSeq + maxFrames, entry.visibleSeq(gate.acceptedPosition()));
            List<Frame> recent = entry.tail.read(fromSeq, toSeq);
            if (recent != null) {
                return Future.succeededFuture(new Page(recent, toSeq));
            }
            if (fromSeq < entry.drainedSeq) {
                return reads.page(stream, entry.streamNo, fromSeq, entry.drainedSeq - 1, maxFrames);
            }
            long count = toSeq - fromSeq;
            if (count <= 0) {
                return Future.succeededFuture(new Page(List.of(), fromSeq));
            }
            positions = entry.undrained.copy((int) (fromSeq - entry.drainedSeq), (int) count);
        }
        List<Frame> frames;
        try {
            frames = journaled(stream, positions);
        } catch (JournalUnavailable | Failure e) {
            return Future.failedFuture(LogFailures.broken(String.valueOf(e.getMessage()), e));
        }
        return frames.isEmpty()
                // They were drained a moment ago, so they are in the database now.
                ? page(stream, fromSeq, maxFrames)
                : Future.succeededFuture(new Page(frames, fromSeq + frames.size()));
    }

    Future<Long> nextSeq(StreamId stream) {
        synchronized (gate.lock()) {
            StreamEntry entry = index.get(stream);
            if (entry != null) {
                return Future.succeededFuture(entry.visibleSeq(gate.acceptedPosition()));
            }
        }
        return reads.find(stream)
                .compose(located -> located == null
                        ? Future.failedFuture(LogFailures.noStream(stream))
                        : Future.succeededFuture(located.nextSeq()));
    }

    /** A stream that nobody uses is in the database, whole. */
    private Future<Page> drained(StreamId stream, long fromSeq, int maxFrames) {
        return reads.find(stream)
                .compose(located -> located == null
                        ? Future.failedFuture(LogFailures.noStream(stream))
                        : reads.page(stream, located.streamNo(), fromSeq, Long.MAX_VALUE, maxFrames));
    }

    /** The frames at these positions, up to the first that the journal has released. */
    private List<Frame> journaled(StreamId stream, long[] positions) {
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
