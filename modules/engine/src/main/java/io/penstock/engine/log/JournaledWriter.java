package io.penstock.engine.log;

import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;

/** The right to append to one stream, good until it is closed or another takes over. */
final class JournaledWriter implements StreamWriter {

    private final JournaledFrameLog log;
    private final StreamEntry entry;
    private final InOrder inOrder = new InOrder();
    private volatile boolean released;

    JournaledWriter(JournaledFrameLog log, StreamEntry entry) {
        this.log = log;
        this.entry = entry;
    }

    @Override
    public StreamId stream() {
        return entry.stream;
    }

    @Override
    public long nextSeq() {
        return log.nextSeq(entry);
    }

    @Override
    public Future<Frame> append(long timestampMs, FrameBody body) {
        Future<Frame> accepted = log.append(this, entry, timestampMs, body);
        // One that is refused at once is not recorded, so it has no place among the others.
        return accepted.isComplete() && (inOrder.isIdle() || accepted.failed())
                ? accepted
                : inOrder.behindOthers(accepted);
    }

    boolean isReleased() {
        return released;
    }

    @Override
    public void close() {
        released = true;
        log.release(this, entry);
    }
}
